import { readMarkdown } from '#intake/markdown/markdown.ts'
import { golden } from '#test/support/golden.ts'
import { readFacts } from '../reading.ts'

golden('intake/markdown/foreign-syntax', ({ text }: { text: string }) => readFacts(readMarkdown(text)))
