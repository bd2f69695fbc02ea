import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { extname } from 'node:path/posix'
import { contentTypeOf, SAMPLE_BYTES } from '#intake/media/content-type.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { SentFile } from '#platform/exchange/own-form.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Visit } from './context.ts'
import { sentence } from './save.ts'

/** The endings of the pictures that people add. */
export const PICTURES = ['.png', '.jpg', '.jpeg', '.webp', '.gif', '.avif', '.svg']

/**
 * Checks a file that somebody sent, whose content has to be what its name says, and removes from a picture where it was taken.
 * Returns whether it said that.
 */
export async function acceptFile(visit: Visit, { path, name }: SentFile): Promise<Result<boolean, Html | Word>> {
  const { edit } = visit.words
  const refused = (problem: string) => failed(html`${edit.nothingSaved} ${sentence(visit.words, problem)}`)
  await using file = await open(path, 'r+')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES))
  const sample = buffer.subarray(0, bytesRead)
  const [problem] = (await contentTypeOf(sample, name)).problems
  if (problem) return refused(problem.message)
  const { contentType } = await contentTypeOf(sample, '')
  if (!contentType.startsWith('image/'))
    return PICTURES.includes(extname(name).toLowerCase()) ? failed(edit.noPicture) : ok(false)
  const pieces = () => createReadStream(path)
  const located = await visit.context.media.inspect({ kind: 'location', contentType, path, pieces })
  if (!located.ok) return refused(located.problem)
  const { patches = [] } = located.value
  for (const { at, bytes } of patches) await file.write(bytes, 0, bytes.length, at)
  return ok(patches.length > 0)
}
