/** Studies kept in this browser. A browser that keeps nothing still analyses. */
import type { StudyFacts } from "../protocol";

export interface Kept {
  id: string;
  changed: number; // ms
  study: StudyFacts;
}

const MOST = 100; // the oldest go first
const STORE = "studies";

function database(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("regalia", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("no database"));
    asked.onblocked = () => reject(new Error("blocked"));
  });
}

async function run<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opened = await database();
  try {
    return await new Promise((resolve, reject) => {
      const request = work(opened.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error("not kept"));
    });
  } finally {
    opened.close();
  }
}

export const kept = {
  /** The latest first. */
  async all(): Promise<Kept[]> {
    const found = await run<Kept[]>("readonly", (store) => store.getAll());
    return found.toSorted((one, other) => other.changed - one.changed);
  },
  async put(id: string, study: StudyFacts): Promise<void> {
    await run("readwrite", (store) => store.put({ id, changed: Date.now(), study } satisfies Kept));
    for (const { id: old } of (await kept.all()).slice(MOST)) await kept.drop(old);
  },
  drop: (id: string): Promise<undefined> => run("readwrite", (store) => store.delete(id)),
};
