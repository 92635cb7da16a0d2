import type { Notices } from '../en/notices.ts'

export const notices: Notices = {
  'page.notices': 'Notifikasi',
  'notices.text': 'Pilih di mana Anda menerima notifikasi, dan yang mana. Hanya Anda yang dapat mengubahnya.',
  'notices.add': 'Tambah tempat',
  'notices.added': 'Ditambahkan. Notifikasi pertama sedang dikirim.',
  'notices.thisBrowser': 'Peramban ini',
  'notices.blocked': 'Peramban Anda memblokir notifikasi halaman ini. Izinkan di pengaturannya, lalu coba lagi.',
  'notices.by.push': 'Notifikasi push',
  'notices.by.email': 'Alamat email',
  'notices.by.telegram': 'Obrolan Telegram',
  'notices.by.slack': 'Kanal Slack',
  'notices.how.email': 'Kami mengirim tautan ke sana. Notifikasi dimulai setelah Anda membukanya dan mengonfirmasi.',
  'notices.noMail': 'Email dapat ditambahkan setelah pengelola layanan ini mengatur “mail” di konfigurasinya.',
  'notices.how.telegram': 'Buat bot dengan @BotFather, kirimi pesan, lalu tempel alamat dengan ID obrolan Anda.',
  'notices.how.slack': 'Tempel URL webhook masuk. URL disimpan terenkripsi.',
  'notices.kind.paid': 'Pesanan dibayar',
  'notices.kind.late': 'Pesanan terlambat dibayar',
  'notices.kind.refund': 'Pelanggan ingin uangnya kembali',
  'notices.kind.trouble': 'Ada yang gagal: pencairan, webhook, gas, jaringan',
  'notices.unconfirmed':
    'Menunggu konfirmasi: buka tautan di email yang kami kirim. Tautan berlaku sehari; setelah itu tambahkan lagi alamatnya.',
  'notices.failing': 'Tidak terkirim sejak {0}. Periksa alamatnya, atau hapus dan tambahkan lagi.',
  'notices.remove': 'Hapus',
  'notices.remove.text': 'Hapus {0}? Anda tidak lagi menerima notifikasi di sana.',
}
