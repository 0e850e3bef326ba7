/** Forms of results that not every client takes. */
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';

const capability = (client: object, name: string): Fields =>
  fieldsOf(fieldsOf(fieldsOf(client).textDocument)[name]);

/** A result in a form that the client has declared to take. @param client its capabilities */
export function forClient(result: unknown, method: string, params: object, client: object): unknown {
  const own = capability(client, method.replace(/^.*\//, ''));
  if (/\/(definition|declaration|typeDefinition|implementation)$/.test(method))
    return own.linkSupport === true ? result : itemsOf(result).map(withoutLink);
  if (method === 'textDocument/documentSymbol' && own.hierarchicalDocumentSymbolSupport !== true) {
    const { uri } = fieldsOf(fieldsOf(params).textDocument);
    return itemsOf(result).flatMap((one) => flat(fieldsOf(one), `${uri}`, ''));
  }
  if (method !== 'textDocument/completion') return result;
  const { insertReplaceSupport } = fieldsOf(own.completionItem);
  if (insertReplaceSupport === true) return result;
  return { ...fieldsOf(result), items: itemsOf(fieldsOf(result).items).map(withoutReplace) };
}

function withoutLink(place: unknown): unknown {
  const { targetUri: uri, targetSelectionRange: range } = fieldsOf(place);
  return uri === undefined ? place : { uri, range };
}

/** A symbol and those in it, as `SymbolInformation`. */
function flat({ name, kind, range, children }: Fields, uri: string, containerName: string): object[] {
  const own = { name, kind, location: { uri, range }, ...(containerName && { containerName }) };
  return [own, ...itemsOf(children).flatMap((one) => flat(fieldsOf(one), uri, `${name}`))];
}

function withoutReplace(item: unknown): unknown {
  const { textEdit, ...rest } = fieldsOf(item);
  const { insert, newText } = fieldsOf(textEdit);
  if (textEdit === undefined) return item;
  return { ...rest, textEdit: insert === undefined ? textEdit : { newText, range: insert } };
}
