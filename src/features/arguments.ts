/** Arguments that mean the same in every tool. */
import * as z from 'zod';

export const path = z.string().min(1).describe('Absolute, a file: URI, or relative to a workspace folder');

export const line = z.int().min(1).describe('1-based');

export const column = z.int().min(1).describe('1-based, in UTF-16 units');

/** @param normal if the agent names none */
export const limit = (normal: number, most = 5000) =>
  z.int().min(1).max(most).default(normal).describe('Most entries to return');

export const cursor = z.string().optional().describe('From the previous answer, for the entries after it');
