/** @jsxImportSource vue */
import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { Checkout } from './checkout.tsx'

/** The page's part as HTML: the tag stands in it, and its script makes a checkout of it in the browser. */
export const draw = (order: { publicKey: string; amount: string; orderId: string }) =>
  renderToString(createSSRApp(Checkout, order))
