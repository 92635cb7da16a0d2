import { createEarly } from './early-create.ts'

/*
 * The script that a page loads: as a module, or as the classic script of older pages, which imports itself again as a
 * module. The built file therefore contains no import or export, and only ASCII.
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
  // All scripts of the page that are not `async` have run by then, so the create includes what they set on the tag.
  if (navigation?.domContentLoadedEventStart) begin()
  else document.addEventListener('DOMContentLoaded', begin)
}

/** A browser does not retry a failed module until the page is reloaded. The payment survives the reload. */
function offerReload(): void {
  for (const tag of document.querySelectorAll('stablecoin-checkout:not(:defined)')) {
    const button = document.createElement('button')
    button.textContent = 'Reload'
    button.onclick = () => location.reload()
    tag.append('The payment could not be loaded. ', button)
  }
}
