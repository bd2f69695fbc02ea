import { missedWords } from '#serving/usage.ts'
import { golden } from '#test/support/golden.ts'

/** What is kept of words for which a search has no result: they in lower case, or nothing. */
golden('usage/missed-words', ({ text }: { text: string }) => missedWords(text) ?? null)
