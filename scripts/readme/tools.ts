/** What docs/tools.md tells of a tool, from what agents are told. */
import type { Tool } from '../../src/features/tool.ts';
import { listedTool } from '../../src/protocol/toolSchema.ts';

/** The text up to its first full stop that a space follows. */
export const firstSentence = (text: string): string => /^.*?\.(?= |$)/s.exec(text)?.[0] ?? text;

interface Argument {
  type?: string | string[];
  description?: string;
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: { properties?: Record<string, Argument> };
}

/** The description, and a list of the arguments. */
export function reference(tool: Tool): string {
  const { description, inputSchema } = listedTool(tool);
  const { properties = {}, required = [] } = inputSchema;
  const lines = Object.entries(properties as Record<string, Argument>).map(([name, argument]) => {
    const facts = factsOf(argument, required.includes(name));
    return `- \`${name}\` (${facts})${argument.description ? `: ${argument.description}` : ''}`;
  });
  return [description, ...(lines.length > 0 ? [lines.join('\n')] : ['No arguments.'])].join('\n\n');
}

function factsOf(argument: Argument, isRequired: boolean): string {
  const { type, minimum, maximum, maxItems, items } = argument;
  const fields = Object.keys(items?.properties ?? {});
  return [
    isRequired && 'required',
    argument.enum?.map((value) => `\`${value}\``).join(', ') ?? [type].flat().join(' or '),
    fields.length > 0 && `of ${fields.map((field) => `\`${field}\``).join(' and ')}`,
    maxItems !== undefined && `at most ${maxItems}`,
    maximum !== undefined ? `${minimum} to ${maximum}` : minimum !== undefined && `from ${minimum}`,
    argument.default !== undefined && `default \`${JSON.stringify(argument.default)}\``,
  ]
    .filter(Boolean)
    .join(', ');
}
