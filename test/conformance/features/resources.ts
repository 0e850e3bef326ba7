import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { completion } from '../../../src/features/context.ts';
import type { Listed, ResourceProvider } from '../../../src/features/resource.ts';
import { PNG } from '../../picture.ts';

type Content = { mimeType: string; text: string } | { mimeType: string; blob: string };

const CONTENTS: Record<string, Content> = {
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://watched-resource': { mimeType: 'text/plain', text: 'This resource can be watched.' },
};

const template: ResourceTemplateType = {
  uriTemplate: 'test://template/{id}/data',
  name: 'template',
  description: 'Data by id.',
  mimeType: 'application/json',
};

function contentOf(uri: string): Content | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (!id) return CONTENTS[uri];
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { mimeType: 'application/json', text: JSON.stringify(data) };
}

const listed = (uri: string, { mimeType }: Content): Listed => {
  const resource: Resource = {
    uri,
    name: uri.replace('test://', ''),
    description: 'Never changes.',
    mimeType,
  };
  return { uri, describe: async () => resource };
};

export const resources: ResourceProvider = {
  templates: [template],
  list: async () => Object.entries(CONTENTS).map(([uri, content]) => listed(uri, content)),
  async read(uri) {
    const content = contentOf(uri);
    return content && { contents: [{ uri, ...content }] };
  },
  canonical: async (uri) => uri,
  complete: async (uriTemplate) => (uriTemplate === template.uriTemplate ? completion(['123']) : undefined),
  watch: (ctx) => new ctx.vscode.Disposable(() => {}),
};
