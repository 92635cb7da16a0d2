import { createEarly } from './early-create.ts'

/*
 * The address that a page loads: as a module, or as the classic script of older pages, which imports itself again as a
 * module. So what is built of it has no import or export, and nothing in it but ASCII.
 */
const { currentScript } = document
const classicUrl = currentScript instanceof HTMLScriptElement ? currentScript.src : ''
if (classicUrl) void import(/* @vite-ignore */ classicUrl)
else {
  void import('./stablecoin-checkout.ts')
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // Every script of the page that is not `async` has run by then: what they set on the tag is part of the create.
  if (navigation?.domContentLoadedEventStart) createEarly()
  else document.addEventListener('DOMContentLoaded', createEarly)
}
