import { readFilesFile } from '#intake/files/files-file.ts'
import { golden } from '#test/support/golden.ts'
import { readFacts } from '../reading.ts'

golden('intake/files/files-file', ({ text }: { text: string }) => readFacts(readFilesFile(text)))
