import { golden } from '#test/support/golden.ts'
import { adopted, type Files } from './adopted.ts'

golden('adopt/adopt', async ({ files }: { files: Files }) => {
  const { report, texts } = await adopted(files)
  const placed = report.placed.map(({ from, to }) => `${from} → ${to.replace('guidelines/', '')}`)
  const { merged, leftOut, converted } = report
  return { placed, merged, leftOut, converted, texts: texts.toSorted() }
})
