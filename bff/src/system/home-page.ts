import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { directionOf, type PageLanguage } from '../checkout/pay-page/page-language.ts'
import { tokenStyles } from '../core/design-tokens.ts'

type Texts = { lead: string; customers: string; docs: string; dashboard: string }

/** In every language of the element and the dashboard. */
export const homeTexts = {
  en: {
    lead: 'This service takes payments in USDC and USDT for shops, and forwards them to the shops’ own wallets.',
    customers: 'Here to pay? Open the link from your shop.',
    docs: 'API documentation',
    dashboard: 'Dashboard for shops',
  },
  ar: {
    lead: 'تستقبل هذه الخدمة مدفوعات USDC وUSDT نيابةً عن المتاجر، وتحوّلها إلى محافظها الخاصة.',
    customers: 'هل تريد الدفع؟ افتح الرابط الذي أرسله المتجر.',
    docs: 'وثائق واجهة برمجة التطبيقات',
    dashboard: 'لوحة التحكم للمتاجر',
  },
  de: {
    lead: 'Dieser Dienst nimmt für Shops Zahlungen in USDC und USDT an und leitet sie an deren eigene Wallets weiter.',
    customers: 'Möchten Sie bezahlen? Öffnen Sie den Link Ihres Shops.',
    docs: 'API-Dokumentation',
    dashboard: 'Dashboard für Shops',
  },
  es: {
    lead: 'Este servicio recibe pagos en USDC y USDT para tiendas y los envía a sus propios monederos.',
    customers: '¿Quieres pagar? Abre el enlace de tu tienda.',
    docs: 'Documentación de la API',
    dashboard: 'Panel para tiendas',
  },
  fr: {
    lead: 'Ce service encaisse des paiements en USDC et USDT pour des boutiques et les transfère vers leurs propres portefeuilles.',
    customers: 'Vous venez payer ? Ouvrez le lien de votre boutique.',
    docs: 'Documentation de l’API',
    dashboard: 'Tableau de bord des boutiques',
  },
  hi: {
    lead: 'यह सेवा दुकानों के लिए USDC और USDT में भुगतान लेती है और उन्हें दुकानों के अपने वॉलेट में भेजती है।',
    customers: 'भुगतान करना है? अपनी दुकान का लिंक खोलें।',
    docs: 'API दस्तावेज़',
    dashboard: 'दुकानों के लिए डैशबोर्ड',
  },
  id: {
    lead: 'Layanan ini menerima pembayaran USDC dan USDT untuk toko, lalu meneruskannya ke dompet toko itu sendiri.',
    customers: 'Ingin membayar? Buka tautan dari toko Anda.',
    docs: 'Dokumentasi API',
    dashboard: 'Dasbor untuk toko',
  },
  pt: {
    lead: 'Este serviço recebe pagamentos em USDC e USDT para lojas e os envia para as carteiras das próprias lojas.',
    customers: 'Quer pagar? Abra o link da sua loja.',
    docs: 'Documentação da API',
    dashboard: 'Painel para lojas',
  },
  sw: {
    lead: 'Huduma hii hupokea malipo ya USDC na USDT kwa niaba ya maduka, na kuyatuma kwenye pochi za maduka yenyewe.',
    customers: 'Unataka kulipa? Fungua kiungo kutoka dukani kwako.',
    docs: 'Nyaraka za API',
    dashboard: 'Dashibodi ya maduka',
  },
  tr: {
    lead: 'Bu hizmet, mağazalar adına USDC ve USDT ödemeleri alır ve bunları mağazaların kendi cüzdanlarına iletir.',
    customers: 'Ödeme mi yapacaksınız? Mağazanızın gönderdiği bağlantıyı açın.',
    docs: 'API belgeleri',
    dashboard: 'Mağaza paneli',
  },
  vi: {
    lead: 'Dịch vụ này nhận thanh toán USDC và USDT cho các cửa hàng và chuyển tiền về ví riêng của cửa hàng.',
    customers: 'Bạn muốn thanh toán? Hãy mở liên kết do cửa hàng gửi.',
    docs: 'Tài liệu API',
    dashboard: 'Trang quản lý cho cửa hàng',
  },
  zh: {
    lead: '本服务为商家收取 USDC 和 USDT 付款，并转入商家自己的钱包。',
    customers: '要付款？请打开商家提供的链接。',
    docs: 'API 文档',
    dashboard: '商家控制台',
  },
} as const satisfies Record<PageLanguage, Texts>

export type HomeLanguage = keyof typeof homeTexts

const style = `:root{color-scheme:light dark;${tokenStyles}}
body{margin:0;min-height:100vh;box-sizing:border-box;padding:24px 16px;display:grid;place-content:center;
grid-template-columns:minmax(0,30rem);font:16px/1.6 var(--font);
background:var(--color-page);color:var(--color-text)}
h1{margin:0;font-size:1.6rem;line-height:1.2;overflow-wrap:anywhere}
p{margin:12px 0 0}
.lead{color:var(--color-muted);font-size:1.1rem}
ul{list-style:none;margin:28px 0 0;padding:0;display:flex;flex-wrap:wrap;gap:12px}
a{display:block;padding:10px 16px;border:1px solid var(--color-control);border-radius:var(--radius-m);background:var(--color-surface);
color:var(--color-accent);text-decoration:none;font-weight:600}
a:hover{text-decoration:underline;text-underline-offset:.2em}
:focus-visible{outline:2px solid var(--color-accent);outline-offset:2px}
`

/** Allows no script, no loading and no frame around the page. */
export const homePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The page at `/`. The same for every visitor, and without any merchant, version or setting. */
export function renderHomePage(language: HomeLanguage, hasDashboard: boolean): string {
  const { lead, customers, docs, dashboard } = homeTexts[language]
  return String(html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><title>stablecoin-checkout</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<link rel="icon" href="data:,"><style>${raw(style)}</style></head>
<body><main><h1><bdi>stablecoin-checkout</bdi></h1><p class="lead">${lead}</p><p>${customers}</p>
<ul>${hasDashboard ? html`<li><a href="/dashboard">${dashboard}</a></li>` : ''}<li><a href="/docs">${docs}</a></li></ul></main></body></html>
`)
}
