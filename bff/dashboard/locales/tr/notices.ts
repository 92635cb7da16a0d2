import type { Notices } from '../en/notices.ts'

export const notices: Notices = {
  'page.notices': 'Bildirimler',
  'notices.text': 'Bildirimleri nerede ve hangilerini alacağınızı seçin. Bunları yalnızca siz değiştirebilirsiniz.',
  'notices.add': 'Yer ekle',
  'notices.added': 'Eklendi. İlk bildirim yolda.',
  'notices.thisBrowser': 'Bu tarayıcı',
  'notices.blocked': 'Tarayıcınız bu sayfanın bildirimlerini engelliyor. Ayarlarından izin verip yeniden deneyin.',
  'notices.by.push': 'Anlık bildirim',
  'notices.by.email': 'E-posta',
  'notices.by.telegram': 'Telegram sohbeti',
  'notices.by.slack': 'Slack kanalı',
  'notices.how.email': 'Oraya bir bağlantı göndeririz. Onu açıp onayladığınızda bildirimler başlar.',
  'notices.noMail': 'E-posta, bu hizmeti barındıran kişi yapılandırmada “mail” ayarını yapınca eklenebilir.',
  'notices.how.telegram':
    '@BotFather ile bir bot oluşturun, ona yazın ve sohbetinizin kimliğini içeren adresi yapıştırın.',
  'notices.how.slack': 'Gelen webhook URL’sini yapıştırın. Şifreli saklanır.',
  'notices.kind.paid': 'Bir sipariş ödendi',
  'notices.kind.late': 'Bir sipariş geç ödendi',
  'notices.kind.refund': 'Bir müşteri parasını geri istiyor',
  'notices.kind.trouble': 'Bir şey başarısız: aktarım, webhook, gas, ağ',
  'notices.unconfirmed':
    'Onay bekleniyor: gönderdiğimiz e-postadaki bağlantıyı açın. Bir gün geçerlidir; sonra adresi yeniden ekleyin.',
  'notices.failing': '{0} tarihinden beri ulaşmıyor. Adresi denetleyin ya da kaldırıp yeniden ekleyin.',
  'notices.remove': 'Kaldır',
  'notices.remove.text': '{0} kaldırılsın mı? Orada artık bildirim almazsınız.',
}
