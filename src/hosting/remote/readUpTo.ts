/** The server sent more than is read. */
export class TooLongError extends Error {
  override name = 'TooLongError';
}

/**
 * The text of a response.
 *
 * @param limit most bytes
 * @throws TooLongError; what `fetch` throws if the connection breaks
 */
export async function readUpTo(limit: number, { body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > limit) throw new TooLongError(`The response is longer than ${limit} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
