// Shows each miniature when it comes near the window, and leads figures with a wallet to their state.

import { showState } from './wallet.client.js'

/** Below the window: shown before it is scrolled to. */
const margin = '300px'

const lead = (root) => {
  for (const figure of root.querySelectorAll('figure[data-wallet]')) showState(figure)
}

const near = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue
      near.unobserve(target)
      target.append(target.querySelector('template').content)
      lead(target)
    }
  },
  { rootMargin: margin },
)

lead(document)
for (const miniature of document.querySelectorAll('.miniature')) near.observe(miniature)
