import { strict as assert } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from './command.ts'
import type { Contents } from './temporary.ts'

/** The number of pages, which is also the number of files, and the size of a file in bytes. */
export type VariantSize = { items: number; bytes: number }

/** A brand folder with the project guide; each part names the variant. */
export function variantOf(variant: number, { items, bytes }: VariantSize): Contents {
  const name = `variant-${variant}`
  const pages = Array.from({ length: items }, (_, at) => [`guide/pages/p${at}.md`, `# Page ${at}\n\n${name}\n`])
  const files = Array.from({ length: items }, (_, at) => [
    `guide/files/f${at}.txt`,
    `${name} file ${at}\n${'x'.repeat(bytes)}`,
  ])
  return {
    'guide/project.yaml': `name: ${name}\nvisibility: public\n`,
    'guide/styles/colors.yaml': `- { name: ${name}, hex: "#112233" }\n`,
    ...Object.fromEntries([...pages, ...files]),
  }
}

/**
 * Reads pages, styles and files of acme/guide until it is stopped. Asserts the statuses, and that each reply has only
 * the variant of its revision. Returns the number of replies.
 */
export function readVariants(
  { baseUrl }: Running,
  token: string,
  statuses: readonly number[],
): { end: () => Promise<number> } {
  const variants = new Map<string, string>()
  let isOver = false
  let replies = 0
  const hold = (snapshot: string, text: string) => {
    const found = new Set(text.match(/variant-\d+/g))
    const known = variants.get(snapshot) ?? [...found].join()
    variants.set(snapshot, known)
    assert.deepEqual([...found].join(), known, `a reply of ${snapshot} mixes several revisions`)
    replies++
  }
  const ask = async (path: string) => {
    const address = `${baseUrl}/workspace/acme/project/guide/${path}`
    const reply = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
    const text = await reply.text()
    assert.ok(statuses.includes(reply.status), text)
    const [, snapshot = ''] = /snapshot="(\w+)"/.exec(reply.headers.get('housestyle-revision') ?? '') ?? []
    return { status: reply.status, snapshot, text }
  }
  const reading = (async () => {
    while (!isOver) {
      for (const path of ['page/p1', 'styles']) {
        const { status, snapshot, text } = await ask(path)
        if (status === 200) hold(snapshot, text)
      }
      const { snapshot, text } = await ask('files')
      const { files = [] }: { files?: { url: string }[] } = JSON.parse(text)
      const url = files[replies % files.length]?.url
      const file = url === undefined ? undefined : await fetch(url)
      const bytes = await file?.text()
      // A new revision may be published after the list was read, and a busy machine may be late with a file.
      if (file?.status === 200) hold(snapshot, bytes ?? '')
      else if (file) assert.match(`${file.status} ${bytes}`, /^(?:404|503) /)
      await sleep(300)
    }
  })()
  return {
    end: async () => {
      isOver = true
      await reading
      return replies
    },
  }
}
