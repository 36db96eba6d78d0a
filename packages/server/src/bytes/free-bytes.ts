import { MessageChannel } from 'node:worker_threads'

/** Below this the call costs more than the memory is worth. */
export const MIN_FREED_BYTES = 8 * 1024

/** Nobody listens here: what is transferred to it is freed at once. */
const nowhere = new MessageChannel().port1
nowhere.close()

/**
 * Frees memory that nobody uses any more without waiting for a collection; views of it are empty afterwards. Requests and
 * their rows are megabytes beside few objects: for these V8 would collect the whole heap many times a second, which under
 * load took a fifth of the service's CPU. Only a buffer that is one piece's alone is freed. Never give it memory that a
 * file or a socket is still writing from.
 */
export function freeBytes(pieces: readonly Uint8Array[]): void {
  const buffers = pieces
    .filter(({ byteLength, buffer }) => byteLength >= MIN_FREED_BYTES && byteLength === buffer.byteLength)
    .map(({ buffer }) => buffer as ArrayBuffer)
  if (buffers.length > 0) nowhere.postMessage(null, buffers)
}
