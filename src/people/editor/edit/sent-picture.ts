import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, extname, relative } from 'node:path/posix'
import { slug } from '#brand/ids.ts'
import { contentTypeOf, SAMPLE_BYTES } from '#intake/media/content-type.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { SentFile } from '#platform/exchange/own-form.ts'
import type { FileChange } from '#publishing/git/edit/merge-files.ts'
import { type Html, html, type Word } from '#site/html.ts'
import type { Visit } from './context.ts'
import { sentence } from './save.ts'

/** The endings of the pictures that people add. */
export const PICTURES = ['.png', '.jpg', '.jpeg', '.webp', '.gif', '.avif', '.svg']

/**
 * Checks a file that somebody sent, whose content has to be what its name says, and removes from a picture where it was
 * taken. Returns whether the picture said that.
 */
export async function acceptFile(visit: Visit, { path, name }: SentFile): Promise<Result<boolean, Html | Word>> {
  const { edit } = visit.words
  const refused = (problem: string) => failed(html`${edit.nothingSaved} ${sentence(visit.words, problem)}`)
  await using file = await open(path, 'r+')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES))
  const sample = buffer.subarray(0, bytesRead)
  const [problem] = (await contentTypeOf(sample, name)).problems
  if (problem) return refused(problem.message)
  // Now only by its content.
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

/**
 * Checks a picture. Returns the function that gives its first path, its second and so on: `files/pictures/logo.png`,
 * `files/pictures/logo-2.png`. A picture without a name of its own is named after its description.
 */
export async function acceptPicture(visit: Visit, file: SentFile, description?: string) {
  const ending = extname(file.name).toLowerCase()
  if (!PICTURES.includes(ending)) return failed(visit.words.edit.wrongPicture({ kinds: PICTURES.join(', ') }))
  const accepted = await acceptFile(visit, file)
  if (!accepted.ok) return accepted
  const name = basename(file.name).slice(0, -ending.length)
  // Browsers give pasted pictures this name.
  const stem = slug(name === 'image' ? (description ?? name).slice(0, MAX_NAME) : name) || 'picture'
  const pathOf = (number: number) => `files/pictures/${stem}${number === 1 ? '' : `-${number}`}${ending}`
  return ok({ pathOf, isCleaned: accepted.value })
}

const MAX_NAME = 60

/** The part of the address of a saved form that says that a picture lost its place. */
export function placeNote(isCleaned: boolean): { place?: string } {
  return isCleaned ? { place: 'removed' } : {}
}

/** The Markdown that shows a file on a page. */
export function markdownOf(page: string, path: string, description: string): string {
  return `![${description.replaceAll(/[\\[\]<`]/g, '\\$&')}](${encodeURI(relative(dirname(page), path))})`
}

/**
 * The pictures that arrive with a page, as changes for its commit, and the text of the page, to which pictures are added that
 * it does not show yet. `isCleaned` says whether a picture has lost the place where it was taken.
 */
export async function withPictures(visit: Visit, page: string, text: string, files: readonly SentFile[]) {
  const changes: FileChange[] = []
  let wholeText = text
  let isCleaned = false
  for (const file of files) {
    const accepted = await acceptPicture(visit, file)
    if (!accepted.ok) return accepted
    const path = accepted.value.pathOf(1)
    changes.push({ path, before: undefined, after: { file: file.path } })
    const markdown = markdownOf(page, path, basename(file.name, extname(file.name)))
    // The text may show the picture with another alt text, so only the address in brackets counts.
    const isShown = wholeText.includes(markdown.slice(markdown.lastIndexOf('(')))
    if (!isShown) wholeText = `${wholeText.trimEnd()}\n\n${markdown}\n`
    isCleaned ||= accepted.value.isCleaned
  }
  return ok({ changes, text: wholeText, isCleaned })
}
