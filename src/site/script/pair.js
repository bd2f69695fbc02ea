// A form of two colours paints its sample in them, and shows the levels of WCAG 2.2 that their contrast reaches.
{
  const linear = channel => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
  /** The relative luminance of WCAG 2.2 plus the 0.05 that its contrast adds to both colours. */
  const luminance = hex => {
    const [red, green, blue] = [1, 3, 5].map(at => linear(parseInt(hex.slice(at, at + 2), 16) / 255))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
  }
  const judge = form => {
    if (!form) return
    const [text, ground] = Array.from(form.querySelectorAll('option:checked'), ({ dataset }) => dataset.hex)
    const { style } = form.querySelector('.pair-sample')
    style.color = text
    style.background = ground
    const ratio = luminance(text) / luminance(ground)
    const contrast = Math.max(ratio, 1 / ratio)
    const verdicts = form.querySelector('.verdicts')
    verdicts.querySelector('b').textContent = (Math.floor(contrast * 100 + 1e-9) / 100).toLocaleString(
      document.documentElement.lang,
      { minimumFractionDigits: 2 },
    )
    for (const verdict of verdicts.querySelectorAll('[data-aa]')) {
      const { aa, aaa } = verdict.dataset
      verdict.textContent = contrast >= aaa ? 'AAA' : contrast >= aa ? 'AA' : verdicts.dataset.fails
    }
    const query = `?${new URLSearchParams(new FormData(form))}`
    if (form.matches('.shown') && location.search !== query) history.replaceState(null, '', query)
  }
  const judgeFirst = () => judge(document.querySelector('.picker'))
  document.addEventListener('DOMContentLoaded', judgeFirst)
  document.addEventListener('housestyle:replaced', judgeFirst)
  document.addEventListener('input', ({ target }) => judge(target.closest('.picker')))
}
