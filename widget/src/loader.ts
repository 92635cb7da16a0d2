import { createEarly } from './early-create.ts'

/*
 * The address that a page loads: as a module, or as the classic script of older pages, which imports itself again as a
 * module. So what is built of it has no import or export, and nothing in it but ASCII.
 */
const classicUrl = (document.currentScript as HTMLScriptElement | null)?.src
if (classicUrl) void import(/* @vite-ignore */ classicUrl)
else {
  const loading = import('./stablecoin-checkout.ts')
  const begin = () => {
    createEarly()
    loading.catch(offerReload)
  }
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // Every script of the page that is not `async` has run by then: what they set on the tag is part of the create.
  if (navigation?.domContentLoadedEventStart) begin()
  else document.addEventListener('DOMContentLoaded', begin)
}

/** A browser does not ask again for a module that it could not load, until the page is reloaded. The payment is the same then. */
function offerReload(): void {
  for (const tag of document.querySelectorAll('stablecoin-checkout:not(:defined)')) {
    const button = document.createElement('button')
    button.textContent = 'Reload'
    button.onclick = () => location.reload()
    tag.append('The payment could not be loaded. ', button)
  }
}
