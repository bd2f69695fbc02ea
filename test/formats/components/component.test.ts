import { openComponent } from '#formats/components/component.ts'
import { golden } from '#test/support/golden.ts'

type Case = { format: string; source: string; imported?: Record<string, unknown> }

golden('formats/components/component', ({ format, source, imported = {} }: Case) => {
  const load = (path: string, name: string) => imported[`${path} ${name}`]
  return openComponent(source, format, load, { left: 20_000 }, 'a.tsx').show()
})
