import { readTypes } from '#intake/styles/types.ts'
import { golden } from '#test/support/golden.ts'
import { readFacts } from '../reading.ts'

golden('intake/styles/types', ({ text }: { text: string }) => readFacts(readTypes(text)))
