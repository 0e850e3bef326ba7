import * as z from 'zod';
import { itemsOf } from '../../core/json.ts';

const id = z.string().min(1);
const description = z.string().optional();
const option = z.union([z.string(), z.object({ label: z.string().optional(), value: z.string() })]);

const schema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('promptString'),
    id,
    description,
    default: z.string().optional(),
    password: z.boolean().default(false),
  }),
  z.object({
    type: z.literal('pickString'),
    id,
    description,
    default: z.string().optional(),
    options: z.array(option).min(1),
  }),
]);

/** A value that the user enters when the server starts first, as in VS Code's mcp.json. */
export type Input = z.infer<typeof schema>;

/**
 * The valid inputs of a mcp.json. All others are left out, also those of type `command`, which would run a command of VS Code: the
 * user is then asked for the value itself.
 */
export const inputsIn = (value: unknown): Input[] =>
  itemsOf(value).flatMap((item) => schema.safeParse(item).data ?? []);

/** The declared input of an id. One that is not declared is entered like a password, since it may be one. */
export const inputOf = (inputs: readonly Input[], name: string): Input =>
  inputs.find((input) => input.id === name) ?? { type: 'promptString', id: name, password: true };
