import { globMatchers } from '../../util/glob.ts';
import type { HostingOptions } from './definition.ts';

/** Whether agents get a tool, by its own name, without the server's. */
export function toolFilter({ allow, deny }: HostingOptions['tools']): (name: string) => boolean {
  const [allowed, denied] = [globMatchers(allow), globMatchers(deny)];
  return (name) => allowed.some((matches) => matches(name)) && !denied.some((matches) => matches(name));
}
