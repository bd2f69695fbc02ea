import { golden } from '#test/support/golden.ts'
import { adopted, type Files } from './adopted.ts'

golden('adopt/adopt', async ({ files }: { files: Files }) => {
  const { report, texts } = await adopted(files)
  const placed = report.placed.map(({ from, to }) => `${from} → ${to.replace('guidelines/', '')}`)
  const { merged, leftOut, guessed } = report
  const taken = guessed
    .filter(({ key }) => /page|lang|name/.test(key))
    .map(({ path, key, value, why }) => `${path}: ${key} ${value}, ${why}`)
  return { placed, merged, leftOut, taken, texts: texts.toSorted() }
})
