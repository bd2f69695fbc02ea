// Signing out removes what the editor has kept in this browser: with the button, and on the page after it.
{
  const clear = () => {
    for (const name of Object.keys(localStorage)) if (name.startsWith('housestyle:edit:')) localStorage.removeItem(name)
  }
  document.addEventListener('submit', ({ target }) => target.method === 'post' && clear())
  document.addEventListener('DOMContentLoaded', () => {
    if (!document.querySelector('form[method="post"]')) clear()
  })
}
