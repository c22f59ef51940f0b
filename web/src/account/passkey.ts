/** Passkeys: from the server's questions to the browser's answers. Bytes travel as base64url. */

type Options = Readonly<Record<string, unknown>>;

/** Only on pages with https, or on the own machine. */
export const canUse = (): boolean => isSecureContext && typeof PublicKeyCredential !== "undefined";

function bytes(text: string): ArrayBuffer {
  const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(raw, (letter) => letter.charCodeAt(0)).buffer;
}

function text(buffer: ArrayBuffer): string {
  const raw = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

interface Known {
  id: string;
}

function answer(found: Credential | null, parts: readonly string[]): Record<string, unknown> {
  if (!(found instanceof PublicKeyCredential)) throw new DOMException("none", "NotAllowedError");
  const response = found.response as unknown as Record<string, ArrayBuffer | null>;
  const told = parts.flatMap((part) => (response[part] ? [[part, text(response[part])]] : []));
  return {
    id: found.id,
    rawId: text(found.rawId),
    type: found.type,
    response: Object.fromEntries(told) as Record<string, string>,
    clientExtensionResults: {},
  };
}

/** Make one. Throws when the reader turns it down. */
export async function create(options: Options): Promise<Record<string, unknown>> {
  const asked = options as { challenge: string; user: { id: string }; excludeCredentials?: Known[] };
  const publicKey = {
    ...options,
    challenge: bytes(asked.challenge),
    user: { ...asked.user, id: bytes(asked.user.id) },
    excludeCredentials: (asked.excludeCredentials ?? []).map((known) => ({ ...known, id: bytes(known.id) })),
  } as unknown as PublicKeyCredentialCreationOptions;
  return answer(await navigator.credentials.create({ publicKey }), ["clientDataJSON", "attestationObject"]);
}

/** Use one, whichever the reader has for this site. */
export async function use(options: Options): Promise<Record<string, unknown>> {
  const asked = options as { challenge: string };
  const publicKey = {
    ...options,
    challenge: bytes(asked.challenge),
    allowCredentials: [],
  } as unknown as PublicKeyCredentialRequestOptions;
  return answer(await navigator.credentials.get({ publicKey }), [
    "clientDataJSON",
    "authenticatorData",
    "signature",
    "userHandle",
  ]);
}
