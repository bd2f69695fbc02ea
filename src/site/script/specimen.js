// A slider of a specimen sets a property of its line.
document.addEventListener('input', ({ target }) => {
  const { sets, unit } = target.dataset
  if (sets) target.closest('.try').firstElementChild.style[sets] = target.value + unit
})
