import { readYaml } from '#intake/yaml/yaml.ts'
import { golden } from '#test/support/golden.ts'
import { readFacts } from '../reading.ts'

golden('intake/yaml/yaml.syntax', ({ text }: { text: string }) => readFacts(readYaml(text)))
