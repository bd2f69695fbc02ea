// A slider of a specimen sets a property of its line, or an axis of its font.
document.addEventListener('input', ({ target }) => {
  const { sets, axis, unit = '' } = target.dataset
  if (!sets && !axis) return
  const group = target.closest('.try')
  const { style } = group.firstElementChild
  target.dataset.isSet = ''
  if (sets) style[sets] = target.value + unit
  else
    style.fontVariationSettings = [...group.querySelectorAll('[data-axis][data-is-set]')].map(
      ({ dataset, value }) => `"${dataset.axis}" ${value}`,
    )
  target.parentElement.nextElementSibling.textContent = target.value
})
