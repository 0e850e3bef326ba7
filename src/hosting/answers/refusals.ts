import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { visibleText } from '../../core/text/visible.ts';

/** The server's parameters are wrong. @param message a sentence for its author */
export const invalidParams = (message: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, visibleText(message));

/** "User rejected" in the specification of sampling. */
const REJECTED_CODE = -1;

export const rejected = (message: string): ProtocolError => new ProtocolError(REJECTED_CODE, message);
