import { UserError } from '../../core/errors.ts';

/** A server cannot start before the user has done something: it has not failed. */
export class NeedsUserError extends UserError {
  override name = 'NeedsUserError';
}

/** The user must sign in to the server, or sign in again: `Authorization.authorize` does it after the user's click. */
export class SignInRequiredError extends NeedsUserError {
  override name = 'SignInRequiredError';
}
