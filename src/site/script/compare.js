// The slider of a comparison moves the edge between its two pictures.
document.addEventListener('input', ({ target }) => {
  if (target.matches('.compare > input')) target.parentNode.style.setProperty('--at', `${target.value}%`)
})
