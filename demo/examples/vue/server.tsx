/** @jsxImportSource vue */
import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { Checkout } from './checkout.tsx'

/** The page's HTML: it contains the tag, which the script upgrades in the browser. */
export const draw = (order: { publicKey: string; amount: string; orderId: string }) =>
  renderToString(createSSRApp(Checkout, order))
