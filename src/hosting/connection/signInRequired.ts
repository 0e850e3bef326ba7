import { UserError } from '../../core/errors.ts';

/** The user must sign in to the server, or sign in again: `Authorization.authorize` does it after the user's click. */
export class SignInRequiredError extends UserError {
  override name = 'SignInRequiredError';
}
