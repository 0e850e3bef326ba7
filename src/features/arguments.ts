/** Arguments that mean the same in every tool. */
import * as z from 'zod';

export const path = z.string().min(1).describe('Absolute, file: URI, or relative to a workspace folder');

/** What is looked for: each word or name of it costs a pass over all that there is. In UTF-16 units. */
export const query = z.string().max(1_000);

export const line = z.int().min(1).describe('1-based');

export const column = z.int().min(1).describe('1-based, in UTF-16 units');

/** @param normal if the agent names none */
export const limit = (normal: number, most = 5000) => z.int().min(1).max(most).default(normal);

/** The longest answer in UTF-16 units: agents keep 8,000 to 50,000, and drop the rest unseen. */
export const DEFAULT_CHARACTERS = 24_000;

export const maxCharacters = z.int().min(1000).max(2_000_000).default(DEFAULT_CHARACTERS);

export const cursor = z.string().min(1).optional().describe('From the previous answer');

/** Seconds that a call waits for the end of what it starts: many clients give up after 60. */
export const wait = (normal = 45) => z.number().default(normal).describe('Seconds');

/** In milliseconds, for such an argument. */
export const waitTime = (seconds: number): number => Math.min(Math.max(seconds, 0), 55) * 1000;
