import type { CreateMessageRequestParams } from '@modelcontextprotocol/server';
import type { LanguageModelChat } from 'vscode';
import { UserError } from '../../../core/errors.ts';

/** What of a model is needed to choose it. */
export type ModelNames = Pick<LanguageModelChat, 'id' | 'family' | 'name' | 'vendor'>;

/**
 * The model for a request: the first hint that names one decides, then the priorities. VS Code does not say what models cost, so
 * small ones are recognized by their names.
 *
 * @param allowed ids or families, `vendor/id` too; by default all
 * @throws UserError if there is no allowed model
 */
export function chooseModel<M extends ModelNames>(
  models: readonly M[],
  preferences: CreateMessageRequestParams['modelPreferences'] = {},
  allowed?: readonly string[],
): M {
  if (models.length === 0)
    throw new UserError(
      'VS Code has no language model. Ask the user to install or sign in to an extension that offers one, such as GitHub Copilot.',
    );
  const usable = models.filter((model) => !allowed || namesOf(model).some((name) => allowed.includes(name)));
  const hinted = (preferences.hints ?? [])
    .map(({ name }) => usable.filter((model) => name && matches(model, name)))
    .find((found) => found.length > 0);
  const { costPriority = 0, speedPriority = 0, intelligencePriority = 0 } = preferences;
  const isSmallBetter = costPriority + speedPriority > 2 * intelligencePriority;
  const candidates = hinted ?? usable;
  const [first] = candidates;
  if (!first)
    throw new UserError(
      `VS Code offers none of the language models that this server may use: ${allowed?.join(', ')}.`,
    );
  return candidates.find((model) => isSmall(model) === isSmallBetter) ?? first;
}

const namesOf = ({ id, family, vendor }: ModelNames): string[] => [id, family, `${vendor}/${id}`];

/** `claude-3-5-sonnet` and `Claude 3.5 Sonnet` are the same model to those who write hints. */
const matches = ({ id, family, name }: ModelNames, hint: string): boolean =>
  [id, family, name].some((one) => plain(one).includes(plain(hint)));

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const isSmall = ({ id, family, name }: ModelNames): boolean =>
  /\b(mini|nano|flash|haiku|lite|small|fast|turbo)\b/i.test(`${id} ${family} ${name}`);
