import { readFile } from 'node:fs/promises'
import { PACKAGE } from '#platform/base/own-files.ts'
import { once } from '#platform/base/promise.ts'
import type { Representation } from '#serving/replies/response-cache.ts'

const FOLDER = new URL('schemas/', PACKAGE)
/**
 * The JSON Schemas of the files of brand folders by path, each read once. Editors in browsers may read them from any
 * origin, because they contain nothing about any brand.
 */
export const FOLDER_SCHEMAS: ReadonlyMap<string, () => Promise<Representation>> = new Map(
  ['workspace', 'project', 'colors', 'types', 'files'].map(name => [
    `/schemas/${name}.json`,
    once(async () => ({ bytes: await readFile(new URL(`${name}.json`, FOLDER)), type: TYPE, about: ABOUT })),
  ]),
)

/** Reads all schemas, so that requests need no file. */
export async function loadSchemas(): Promise<void> {
  for (const read of FOLDER_SCHEMAS.values()) await read()
}

/** JSON Schema draft-07 §9.1. */
const TYPE = ['Content-Type', 'application/schema+json'] as const
const ABOUT = [
  'Cache-Control',
  'public, max-age=300',
  'Vary',
  'Accept-Encoding',
  'Access-Control-Allow-Origin',
  '*',
] as const
