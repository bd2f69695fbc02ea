import { readProjectFile } from '#intake/project/project-file.ts'
import { golden } from '#test/support/golden.ts'
import { readFacts } from '../reading.ts'

golden('intake/project/project-file', ({ text }: { text: string }) => readFacts(readProjectFile(text)))
