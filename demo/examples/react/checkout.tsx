import { useEffect, useRef, useState } from 'react'
import type { StablecoinCheckout } from '../../../widget/types/stablecoin-checkout.d.ts'

type Order = { publicKey: string; amount: string; orderId: string }

/** The tag in React 19, also where the server has drawn it: attributes as in HTML. */
export function Checkout({ publicKey, amount, orderId }: Order) {
  const tag = useRef<StablecoinCheckout>(null)
  const [outcome, setOutcome] = useState('on its way')
  // In a page that React draws by itself, `onsc-status-change={…}` in the tag does the same. In one that the server has drawn
  // React 19 attaches the events of custom elements too late (react/react#35446), and the first may have been told before.
  useEffect(() => {
    const element = tag.current
    const look = () => setOutcome(element?.payment?.outcome ?? 'on its way')
    look()
    element?.addEventListener('sc-status-change', look)
    return () => element?.removeEventListener('sc-status-change', look)
  }, [])
  return (
    <>
      <h1>React shop</h1>
      <stablecoin-checkout
        ref={tag}
        public-key={publicKey}
        amount={amount}
        currency="USDC"
        network="devnet"
        order-id={orderId}
        metadata='{"shop":"react"}'
      />
      {/* A word for the customer; the goods are shipped by the server, which hears of it by webhook. */}
      <p role="status">The payment is {outcome}</p>
    </>
  )
}
