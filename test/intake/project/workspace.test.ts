import { readWorkspaceFile } from '#intake/project/workspace.ts'
import { golden } from '#test/support/golden.ts'
import { readFacts } from '../reading.ts'

golden('intake/project/workspace', ({ text }: { text: string }) => readFacts(readWorkspaceFile(text)))
