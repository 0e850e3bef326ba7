/** Forms for the person, with every kind of field that there is. */
import { type ElicitRequestFormParams, type InputRequest, inputRequired } from '@modelcontextprotocol/server';

export type Properties = ElicitRequestFormParams['requestedSchema']['properties'];

export const form = (message: string, properties: Properties, required: string[] = []): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } });

/** Default values for all that a field can be (SEP-1034). */
export const WITH_DEFAULTS: Properties = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const titled = (...titles: string[]) => titles.map((title, index) => ({ const: `value${index + 1}`, title }));

/** Every way to choose one of several, or several of them (SEP-1330). */
export const ENUMS: Properties = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } },
};
