import type { RefundTexts } from './en.ts'

export const texts: RefundTexts = {
  title: '{1} iadesi: {0}',
  ask: 'İade nereye gönderilsin?',
  prompt: '{1} ağında {0} alacağınız adresi girin.',
  label: 'Adresiniz',
  warning:
    'Her karakteri kontrol edin: yanlış adrese gönderilen para kaybolur ve adres yalnızca bir kez girilebilir. Borsa adresini yalnızca borsa {1} ağında {0} kabul ediyorsa kullanın.',
  send: 'İadeyi buraya gönder',
  toPay: 'Adres alındı',
  toPayText: '{0} iadeyi bu adrese öder. Yola çıktığında bu sayfada görünür.',
  confirming: 'İade yolda',
  paid: 'İade ödendi',
  cancelled: 'Bu iade iptal edildi',
  cancelledText: 'Sorularınız için {0} ile görüşün.',
  transaction: 'İşlem',
  address: 'Adres',
  badAddress: 'Bu adrese {0} ağında ödeme yapılamaz. Kontrol edip yeniden deneyin.',
  incomplete: 'Bu bağlantı eksik. Aldığınız yerden yeniden açın.',
  tryAgain: 'Bu işe yaramadı. Yeniden deneyin.',
  none: 'Böyle bir iade yok',
}
