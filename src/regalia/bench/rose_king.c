/* The Rose King played at random, tuned: the yardstick of the benchmark.
 *
 *     cc -O3 -march=native -o rose_king rose_king.c        C11 and the 128-bit integers of GCC and Clang
 *     ./rose_king GAMES SEED                               one thread, one line of JSON
 *
 * All legal steps of a decision are equally likely, all cards of the pile too, and every game is scored down
 * to its winner, as a playout of a search would be. Output: seconds is the playing alone; steps are the ten
 * cards dealt, the decisions and the cards drawn; variances divide by GAMES; draws are games nobody won.
 *
 * What makes it fast
 * - A board is 90 bits in two words: 9 rows, 10 bits apart. The tenth bit of a row is never set, so a flood
 *   fill needs no masks against wrapping round the edge.
 * - A set of cards is a word, its bits in the order of how far a card moves along those 90. So the targets
 *   of the crown, read in ascending order, are in the order of the cards, and BMI2 finds all playable cards
 *   at once: gather the targets (pext), scatter to the cards (pdep). Without BMI2, or where it is slow (AMD
 *   before Zen 3: compile with -mno-bmi2), the hand is walked card by card.
 * - A card is playable plainly or with a hero, never both: one set holds all plays of a turn.
 * - A turn waits for one chain of instructions, crown to plays to card to crown, so all else is kept off it.
 *   Luck is made beforehand; no branch asks "play or draw?", which would be guessed wrong too often; and a
 *   stone is laid after the next player's plays are known: it lies under the crown, where no card leads.
 */
#define _POSIX_C_SOURCE 199309L

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#define IS_EAGER 1                  /* finding a card to draw costs less than asking whether one is needed */
#else
#define IS_EAGER 0
#endif
#define INLINE static inline __attribute__((always_inline))

enum { SIZE = 9, STRIDE = 10, CELLS = SIZE * STRIDE, CENTRE = 4 * STRIDE + 4, REACH = 3 };
enum { CARDS = 24, DECK = (1 << CARDS) - 1, HAND = 5, HEROES = 4, STONES = 52 };
enum { NO_CARD = 32, WAYS = 60 };   /* 60 is divisible by every number of choices, 1 to 5 */

__extension__ typedef unsigned __int128 Wide;

typedef struct {
    uint64_t stone[2];              /* this cell alone, as a board */
#ifdef __BMI2__
    uint64_t targets[2];            /* RK-20, RK-21: the cells one card away, on the board */
    uint32_t cards[2];              /* the cards that lead to them: into the first word, into the second */
#else
    uint8_t target[CARDS];          /* RK-20: where a card leads; RK-21: off the board, this cell instead */
#endif
} Cell;

typedef struct { uint64_t stones[2]; uint32_t hand; int heroes; } Side;

typedef struct {
    const Cell *crown;
    uint64_t is_due;                /* all ones while the stone under the crown is still to be laid, else 0 */
    uint32_t pile;
    int supply;
} Table;

typedef struct {
    uint64_t decisions, drawn, blocked, wins[2];
    uint64_t points[2], squares[2]; /* sums over the games of the score and of its square */
} Totals;

static Cell BOARD[CELLS];
static int64_t MOVE[NO_CARD + 1];   /* how far a card moves the crown, in bytes of BOARD; 0 for NO_CARD */
static uint64_t PICK[WAYS];         /* byte n has the bit (way modulo n) set: one of n choices */

static void lay_out_tables(void) {
    int rows[CARDS], columns[CARDS], cards = 0;
    for (int r = -REACH; r <= REACH; r++)
        for (int c = -REACH; c <= REACH; c++)
            if ((r || c) && (!r || !c || abs(r) == abs(c))) {                   /* RK-3 */
                MOVE[cards] = (r * STRIDE + c) * (int)sizeof(Cell);
                rows[cards] = r, columns[cards++] = c;
            }
    for (int at = 0; at < CELLS; at++) {
        Cell *cell = &BOARD[at];
        cell->stone[at / 64] = UINT64_C(1) << at % 64;
        for (int card = 0; card < CARDS; card++) {
            int row = at / STRIDE + rows[card], column = at % STRIDE + columns[card];
            int is_on_board = row >= 0 && row < SIZE && column >= 0 && column < SIZE;
            int to = row * STRIDE + column;
#ifdef __BMI2__
            if (!is_on_board) continue;
            cell->targets[to / 64] |= UINT64_C(1) << to % 64;
            cell->cards[to / 64] |= UINT32_C(1) << card;
#else
            cell->target[card] = (uint8_t)(is_on_board ? to : at);
#endif
        }
    }
    for (int way = 0; way < WAYS; way++)
        for (int n = 1; n <= HAND; n++) PICK[way] |= UINT64_C(1) << (8 * n + way % n);
}

/* RK-20...23: the cards of a hand that lead to a cell on the board which is not barred. */
INLINE uint32_t playable(uint32_t hand, const Cell *crown, const uint64_t *barred) {
    uint32_t found = 0;
#ifdef __BMI2__
    for (int word = 0; word < 2; word++)
        found |= _pdep_u32((uint32_t)_pext_u64(~barred[word], crown->targets[word]), crown->cards[word]);
#else
    for (uint32_t left = hand; left; left &= left - 1) {
        unsigned to = crown->target[__builtin_ctz(left)], word = to / 64;
        uint64_t taken = (barred[word] | crown->stone[word]) >> to % 64 & 1;
        found |= (left & -left) & ((uint32_t)taken - 1);
    }
#endif
    return hand & found;
}

/* The card of a set at the place of the choice's lowest bit; 0 if that is beyond the set. */
INLINE uint32_t chosen(uint32_t choice, uint32_t set) {
#ifdef __BMI2__
    return _pdep_u32(choice, set);
#else
    for (; set && !(choice & 1); choice >>= 1) set &= set - 1;
    return set & -set;
#endif
}

typedef struct { uint64_t a, b; } Random;

/* xoroshiro128++ of David Blackman and Sebastiano Vigna: 64 random bits. */
INLINE uint64_t next(Random *random) {
    uint64_t a = random->a, b = random->b, value = a + b;
    value = (value << 17 | value >> 47) + a;
    b ^= a;
    random->a = (a << 49 | a >> 15) ^ b ^ b << 21;
    random->b = b << 28 | b >> 36;
    return value;
}

/* A number below a limit: the whole part of luck * limit / 2^64; the fraction stays behind as luck for the
 * next. The limits between two fresh values multiply to less than 2^23, so no number is favoured by more
 * than 2^-41 of its odds. No run could ever show that: nothing needs to be rejected. */
INLINE unsigned below(unsigned limit, uint64_t *luck) {
    Wide product = (Wide)*luck * limit;
    *luck = (uint64_t)product;
    return (unsigned)(product >> 64);
}

INLINE uint32_t card_from(uint32_t pile, unsigned cards, uint64_t *luck) {
    return chosen(UINT32_C(1) << below(cards, luck), pile);
}

/* RK-24, RK-40, RK-42: the stone under the crown, new or turned, of the player who moved it there. */
INLINE void lay_stone(Side *own, Side *other, Table *table) {
    int flips = 0;
    for (int word = 0; word < 2; word++) {
        uint64_t stone = table->crown->stone[word] & table->is_due;
        flips |= (other->stones[word] & stone) != 0;
        own->stones[word] |= stone;
        other->stones[word] &= ~stone;
    }
    own->heroes -= flips;
    table->supply += (int)table->is_due + flips;
    table->is_due = 0;
}

enum { SKIPPED = 0, ACTED = 1, OVER = 2 };          /* the decisions a turn took, or that there was none */

INLINE int turn(Side *own, Side *other, Table *table, Random *random) {
    uint64_t without_hero = -(uint64_t)(own->heroes == 0);                      /* RK-22, RK-40, RK-41 */
    uint64_t barred[2] = {own->stones[0] | (other->stones[0] & without_hero),
                          own->stones[1] | (other->stones[1] & without_hero)};
    uint32_t plays = playable(own->hand, table->crown, barred);
    unsigned can_draw = __builtin_popcount(own->hand) < HAND;                   /* RK-30 */
    unsigned choice_bits = 8 * (unsigned)__builtin_popcount(plays) + 8 * can_draw;
    lay_stone(other, own, table);
    if (!table->supply) return OVER;                                            /* RK-50 */
    if (!choice_bits) return SKIPPED;                                           /* RK-11 */

    uint64_t luck = next(random);
    uint32_t card = chosen((uint32_t)(PICK[below(WAYS, &luck)] >> choice_bits), plays);     /* 0: draw */
    unsigned cards = (unsigned)__builtin_popcount(table->pile);
    uint32_t drawn = IS_EAGER || !card ? card_from(table->pile, cards, &luck) : 0;
    table->is_due = -(uint64_t)(card != 0);
    table->crown = (const Cell *)((const char *)table->crown + MOVE[card ? __builtin_ctz(card) : NO_CARD]);
    uint32_t moved = card | (drawn & ~(uint32_t)table->is_due);
    own->hand ^= moved;             /* leaves when played, comes when drawn */
    table->pile &= ~moved;
    if (!table->pile) table->pile = DECK & ~(own->hand | other->hand);          /* RK-32 */
    return ACTED;
}

INLINE int count(Wide cells) {
    return __builtin_popcountll((uint64_t)cells) + __builtin_popcountll((uint64_t)(cells >> 64));
}

INLINE Wide beside(Wide cells) { return cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE; }

/* RK-60, RK-61: the squares of the regions, summed; the size of the largest for RK-62. */
INLINE int score(Wide stones, int *largest) {
    Wide lone = stones & ~beside(stones);
    int points = count(lone);
    *largest = points > 0;
    for (stones ^= lone; stones;) {
        Wide region, grown = stones & -stones;
        do {
            region = grown;
            grown = (region | beside(region)) & stones;
        } while (grown != region);
        int size = count(region);
        points += size * size;
        if (size > *largest) *largest = size;
        stones ^= region;
    }
    return points;
}

static void play(Random *random, Totals *totals) {
    Side red = {.heroes = HEROES}, white = {.heroes = HEROES};
    Table table = {.crown = &BOARD[CENTRE], .pile = DECK, .supply = STONES};
    uint64_t luck = 0;
    for (unsigned left = CARDS; left > CARDS - 2 * HAND; left--) {              /* RK-6, red first */
        if (left % HAND == CARDS % HAND) luck = next(random);
        uint32_t card = card_from(table.pile, left, &luck);
        table.pile ^= card;
        *(left % 2 ? &white.hand : &red.hand) |= card;
    }
    int decisions = 0, red_turn, white_turn;
    do {
        if ((red_turn = turn(&red, &white, &table, random)) == OVER) break;
        decisions += red_turn;
        if ((white_turn = turn(&white, &red, &table, random)) == OVER) break;
        decisions += white_turn;
    } while (red_turn || white_turn);
    totals->blocked += table.supply != 0;                                       /* RK-51 */
    int points[2], largest[2];
    Wide stones[2];
    for (int seat = 0; seat < 2; seat++) {
        const Side *side = seat ? &white : &red;
        stones[seat] = (Wide)side->stones[1] << 64 | side->stones[0];
        points[seat] = score(stones[seat], &largest[seat]);
        totals->points[seat] += (uint64_t)points[seat];
        totals->squares[seat] += (uint64_t)(points[seat] * points[seat]);
    }
    int lead = points[0] - points[1];                                           /* RK-62 */
    if (!lead) lead = largest[0] - largest[1];
    if (!lead) lead = count(stones[0]) - count(stones[1]);
    if (lead) totals->wins[lead < 0]++;                                         /* RK-63 */
    int played = STONES - table.supply + 2 * HEROES - red.heroes - white.heroes;
    totals->decisions += (uint64_t)decisions;
    totals->drawn += (uint64_t)(decisions - played);
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    char *games_end = "?", *seed_end = "?";
    uint64_t games = argc == 3 ? strtoull(argv[1], &games_end, 10) : 0;
    uint64_t seed = argc == 3 ? strtoull(argv[2], &seed_end, 10) : 0;
    if (games - 1 >= INT64_MAX || *games_end || *seed_end) {
        fprintf(stderr, "usage: rose_king GAMES SEED\n");
        return 2;                                   /* also for 0 games, and below 0, which wraps round */
    }
    lay_out_tables();
    Random random = {seed, ~seed};                  /* never all zero */
    for (int i = 0; i < 20; i++) next(&random);     /* until neighbouring seeds have nothing in common */
    Totals t = {0};
    double start = seconds_now();
    for (uint64_t game = 0; game < games; game++) play(&random, &t);
    double seconds = seconds_now() - start;

    uint64_t steps = 2 * HAND * games + t.decisions + t.drawn;
    double n = (double)games, mean_0 = (double)t.points[0] / n, mean_1 = (double)t.points[1] / n;
    printf("{\"games\": %" PRIu64 ", \"seconds\": %.6f, \"steps\": %" PRIu64 ", \"decisions\": %" PRIu64
           ", \"mean_steps\": %.6f, \"mean_decisions\": %.6f, \"mean_score_0\": %.6f, \"mean_score_1\": %.6f"
           ", \"var_score_0\": %.6f, \"var_score_1\": %.6f, \"wins_0\": %" PRIu64 ", \"wins_1\": %" PRIu64
           ", \"draws\": %" PRIu64 ", \"ended_stones\": %" PRIu64 ", \"ended_blocked\": %" PRIu64 "}\n",
           games, seconds, steps, t.decisions, (double)steps / n, (double)t.decisions / n, mean_0, mean_1,
           (double)t.squares[0] / n - mean_0 * mean_0, (double)t.squares[1] / n - mean_1 * mean_1, t.wins[0],
           t.wins[1], games - t.wins[0] - t.wins[1], games - t.blocked, t.blocked);
    return 0;
}
