import type { Place } from '../program.ts';
import type { Format } from './format.ts';
import { json } from './json.ts';
import { toml } from './toml.ts';
import { yaml } from './yaml.ts';

export const formats: Record<Place['format'], Format> = { json, toml, yaml };
