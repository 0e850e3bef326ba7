/** The reason of a cancellation by the user, and what the agent is told then. */
export const CANCELLED_BY_USER = 'The user cancelled this call.';

/** Reasons that do not say that nobody wants the call: what clients of the SDKs give at a time limit, and ours for HTTP. */
const NO_LONGER_WAITED =
  /time[\s-]?(d[\s-])?(out|limit)|maximum (total )?time|too long|-32001|deadline exceeded|closed the connection/i;

/** Whether somebody does not want a call any more: not a time limit of its client, and not the end of its connection. */
export const isUnwanted = ({ aborted, reason }: AbortSignal): boolean => aborted && isUnwantedFor(reason);

/** @param reason of a cancellation, as the client sent it; any error or none */
export const isUnwantedFor = (reason: unknown): boolean =>
  typeof reason === 'string'
    ? !NO_LONGER_WAITED.test(reason)
    : reason === undefined || (reason as Error | null)?.name === 'AbortError';
