// Shows times in the zone of the reader, and reads the time of a plan in it; forms send UTC.
{
  const { lang } = document.documentElement
  const formatter = options =>
    new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, { numberingSystem: 'latn', ...options })
  const start = () => {
    for (const time of document.querySelectorAll('time.minute')) {
      time.title = time.textContent
      time.textContent = formatter({ dateStyle: 'long', timeStyle: 'short' }).format(new Date(time.dateTime))
    }
    const at = document.querySelector('[name=at]')
    if (!at) return
    const parts = formatter({ timeZoneName: 'longGeneric' }).formatToParts()
    document.querySelector('.zone').append(` ${parts.find(({ type }) => type === 'timeZoneName').value}`)
    // The field has no zone: the form is made with UTC, shows local time, and sends UTC again.
    const planned = new Date(`${at.defaultValue}Z`)
    if (at.defaultValue) at.value = new Date(planned - planned.getTimezoneOffset() * 60_000).toJSON().slice(0, 16)
    at.form.addEventListener('formdata', ({ formData }) => {
      if (at.value) formData.set('at', new Date(at.value).toJSON().slice(0, 16))
    })
  }
  document.addEventListener('DOMContentLoaded', start)
}
