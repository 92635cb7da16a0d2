import { useEffect, useRef, useState } from 'react'
import type { StablecoinCheckout } from '../../../widget/types/stablecoin-checkout.d.ts'

type Order = { publicKey: string; amount: string; orderId: string }

/** The tag in React 19, with server rendering: attributes as in HTML. */
export function Checkout({ publicKey, amount, orderId }: Order) {
  const tag = useRef<StablecoinCheckout>(null)
  const [outcome, setOutcome] = useState('on its way')
  // In a client-rendered page, `onsc-status-change={…}` in the tag does the same. After server rendering, React 19
  // attaches listeners of custom events too late (react/react#35446), and the first event may be missed.
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
      {/* For the customer's display only; the server ships the goods after the webhook. */}
      <p role="status">The payment is {outcome}</p>
    </>
  )
}
