/** The words of the page in Indonesian. Pure data; what each is for: ../words.ts. */
import type { Words } from "../words";

const rejoin = "{rejoin}";

export const words: Words = {
  kinds: {
    joining: { heading: "Mencari tempat Anda", body: ["Ini memerlukan beberapa detik. Biarkan halaman ini tetap terbuka."] },
    "in-app": {
      heading: "Sebaiknya buka halaman ini di browser Anda sendiri",
      body: [
        "Anda berada di browser bawaan aplikasi lain. Jika aplikasi itu menutup halaman ini, tempat Anda bisa hilang.",
        "Salin tautan dan buka di browser yang biasa Anda gunakan. Jika tetap di sini, Anda mendapat tempat di sini dalam {due}.",
      ],
    },
    "joining-unreachable": {
      heading: "Antrean sedang tidak dapat dihubungi",
      body: ["Saat ini tidak ada yang dapat bergabung. Halaman ini terus mencoba dan memberi Anda tempat sesegera mungkin."],
    },
    "storage-full": {
      heading: "Antrean tidak dapat menerima siapa pun",
      body: ["Jika Anda sudah punya tempat, tempat itu tetap milik Anda. Silakan kembali nanti; halaman ini juga terus mencoba."],
    },
    waiting: { heading: "Anda berada dalam antrean", body: [] },
    next: { heading: "Anda yang berikutnya", body: ["Anda masuk begitu ada ruang. Tetaplah di halaman ini."] },
    nearly: { heading: "Sebentar lagi", body: ["Tetaplah di halaman ini dan siapkan data Anda."] },
    slow: {
      heading: "Anda berada dalam antrean",
      tab: "Lebih lambat dari perkiraan",
      body: ["Antrean bergerak lebih lambat dari perkiraan."],
    },
    "not-moving": { heading: "Antrean tidak bergerak", body: ["Saat ini tidak ada yang dipersilakan masuk. Tempat Anda tetap tersimpan."] },
    restarted: { heading: "Ruang tunggu dimulai ulang", body: ["Antrean dimulai dari awal, dan Anda mendapat tempat baru di dalamnya."] },
    unreachable: {
      heading: "Antrean sedang tidak dapat dihubungi",
      body: ["Tempat Anda tetap tersimpan. Halaman ini terus mencoba; Anda tidak perlu melakukan apa pun."],
    },
    paused: { heading: "Antrean dijeda", body: ["Untuk sementara tidak ada yang dipersilakan masuk. Tempat Anda tetap tersimpan."] },
    called: {
      heading: "Sekarang giliran Anda",
      tab: "● Giliran Anda",
      body: ["Anda dapat masuk sekarang.", "Giliran Anda berlaku {valid} lagi. Setelah itu orang berikutnya dipanggil."],
    },
    moment: {
      heading: "Sekarang giliran Anda",
      tab: "● Masuk",
      body: ["Situs terbuka untuk Anda dalam {due}. Tetaplah di halaman ini."],
    },
    missed: {
      heading: "Giliran Anda tiba saat Anda tidak ada",
      tab: "Anda yang berikutnya",
      body: ["Anda yang berikutnya: Anda masuk begitu ada ruang. Tetaplah di halaman ini.", "Kesempatan kedua ini berlaku {valid} lagi."],
    },
    "missed-others": {
      heading: "Giliran Anda tiba saat Anda tidak ada",
      tab: "Anda termasuk yang berikutnya",
      body: [
        "Anda masuk bersama yang berikutnya, setelah orang lain yang juga kembali. Tetaplah di halaman ini.",
        "Kesempatan kedua ini berlaku {valid} lagi.",
      ],
    },
    "welcome-back": {
      heading: "Selamat datang kembali",
      body: [
        "Anda sempat tidak ada, dan saat ini belum ada tempat kosong. Anda termasuk yang berikutnya masuk.",
        "Kesempatan kedua ini berlaku {valid} lagi.",
      ],
    },
    inside: { heading: "Anda sudah di dalam", body: ["Anda telah dipersilakan masuk. Anda dapat melanjutkan ke situs."] },
    "room-off": { heading: "Anda dapat masuk", body: ["Tidak ada antrean lagi. Situs terbuka untuk Anda dalam {due}."] },
    void: {
      heading: "Anda masuk dari jendela lain",
      body: [
        "Kunjungan Anda berlanjut di sana. Jika Anda melanjutkan di sini, jendela lain berhenti.",
        "Anda dapat melanjutkan di sini {takeovers}.",
      ],
    },
    "void-final": {
      heading: "Anda masuk dari jendela lain",
      tab: "Kunjungan Anda berlanjut di tempat lain",
      body: ["Kunjungan Anda berlanjut di sana. Kunjungan itu terlalu sering berpindah jendela untuk dilanjutkan di sini.", rejoin],
    },
    left: { heading: "Anda meninggalkan antrean", body: [`Tempat Anda beralih ke orang berikutnya. ${rejoin}`] },
    removed: { heading: "Tempat Anda diakhiri", body: [`Pengelola situs ini mengakhirinya. ${rejoin}`] },
    flushed: {
      heading: "Antrean dikosongkan",
      body: ["Pengelola situs ini mengakhiri semua tempat. Anda dapat bergabung lagi."],
    },
    "turn-over": { heading: "Giliran Anda sudah lewat", body: [`Anda telah dipanggil, dan waktu untuk kembali sudah habis. ${rejoin}`] },
    "visit-over": { heading: "Kunjungan Anda telah berakhir", body: [`Waktu kunjungan ini sudah habis. ${rejoin}`] },
    "network-changed": {
      heading: "Apakah ini masih Anda?",
      body: ["Koneksi Anda berubah beberapa kali. Tempat Anda tersimpan: lanjutkan di sini, dan tidak ada hal lain yang berubah."],
    },
    "place-void": {
      heading: "Tempat Anda sudah ditempati",
      body: [`Situs ini harus mengganti kuncinya, dan browser lain lebih dulu menunjukkan tempat ini. ${rejoin}`],
    },
    ended: { heading: "Tempat Anda tidak berlaku lagi", body: [`Tempat ini tidak ada lagi dalam antrean. ${rejoin}`] },
    "sold-out": { heading: "Habis terjual", body: ["Tidak ada lagi yang dipersilakan masuk. Anda tidak perlu menunggu lagi."] },
    full: {
      heading: "Antrean penuh",
      body: ["Saat ini tidak ada ruang untuk orang lain lagi. Halaman ini terus mencoba dan memberi Anda tempat begitu ada."],
    },
    closed: {
      heading: "Antrean ditutup bagi pendatang baru",
      body: ["Saat ini tidak ada yang dapat bergabung. Orang dalam antrean tetap memiliki tempatnya. Halaman ini terus mencoba."],
    },
    "network-limit": {
      heading: "Terlalu banyak orang dari jaringan Anda",
      body: [
        "Banyak orang dari jaringan Anda baru saja bergabung. Sekolah, kantor, dan jaringan seluler sering berbagi satu alamat.",
        "Halaman ini terus mencoba. Jaringan lain, seperti data seluler sebagai ganti wi-fi, mungkin lebih cepat.",
      ],
    },
    "network-refused": {
      heading: "Tidak ada yang dapat bergabung dari jaringan ini",
      body: [
        "Pengelola situs ini tidak menerima siapa pun dari jaringan yang Anda gunakan. Jaringan lain mungkin bisa, seperti data seluler.",
      ],
    },
    challenge: {
      heading: "Pemeriksaan singkat dahulu",
      body: [
        "Banyak orang baru sedang berdatangan. Sebelum Anda mendapat tempat, browser Anda menunjukkan bahwa ia bukan satu dari ribuan yang dijalankan robot.",
      ],
    },
    "cookies-needed": {
      heading: "Izinkan cookie",
      body: [
        "Kami menyimpan tempat Anda dalam cookie. Tanpanya kami tidak dapat mengetahui kapan giliran Anda.",
        "Izinkan cookie untuk situs ini di setelan browser Anda, lalu coba lagi.",
      ],
    },
    lobby: {
      heading: "Anda berada di lobi",
      body: [
        "Mulai: {starts}.",
        "Di lokasi acara, itu {startsThere}.",
        "Anda sudah dihitung; Anda tidak perlu melakukan apa pun.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    "lobby-line": {
      heading: "Anda berada dalam antrean, dan acara belum dimulai",
      body: ["Mulai: {starts}.", "Di lokasi acara, itu {startsThere}.", "Tempat Anda tetap tersimpan."],
    },
    delayed: {
      heading: "Mulainya lebih lambat dari rencana",
      body: [
        "Rencana: {planned}. Waktu mulai baru: {starts}.",
        "Di lokasi acara, itu {startsThere}.",
        "Anda sudah dihitung; Anda tidak perlu melakukan apa pun.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    drawing: { heading: "Mengundi tempat…", body: ["{entered}", "Ini memerlukan beberapa detik. Biarkan halaman ini tetap terbuka."] },
    "awaiting-number": {
      heading: "Menunggu angka acak publik",
      tab: "Mengundi tempat…",
      body: [
        "{entered}",
        "Urutan ditentukan oleh angka acak publik yang belum diketahui siapa pun. Kami sedang menunggunya.",
        "Biasanya angka itu tiba dalam setengah menit. Jika terlalu lama, tempat diundi tanpanya, dan catatan undian menyebutkan hal itu.",
        "Biarkan halaman ini tetap terbuka.",
      ],
    },
    dealing: {
      heading: "Membagikan tempat…",
      body: [
        "Semua orang yang datang dalam waktu singkat yang sama mendapat tempat acak di antara mereka. Sedikit lebih cepat tidak memberi keuntungan.",
        "Biarkan halaman ini tetap terbuka.",
      ],
    },
    cancelled: { heading: "Ini dibatalkan", body: ["Pengelola situs ini telah membatalkannya."] },
    "cancelled-line": {
      heading: "Ini dibatalkan",
      body: ["Pengelola situs ini telah membatalkannya. Tempat Anda dalam antrean biasa tetap tersimpan."],
    },
    "outside-events": { heading: "Saat ini belum dibuka", body: ["Dibuka: {opens}.", "Tidak ada yang dipersilakan masuk sebelum dibuka."] },
    rejected: {
      heading: "Saat ini tidak ada yang dipersilakan masuk",
      body: ["Tidak ada pula antrean untuk diikuti. Silakan kembali nanti."],
    },
    "left-lobby": {
      heading: "Anda meninggalkan lobi",
      body: [
        "Pendaftaran Anda tetap dihitung, dan tempatnya tidak terpakai. Jika Anda masuk lagi sebelum dimulai, Anda mendapat pendaftaran lain.",
      ],
    },
    "invitation-needed": {
      heading: "Anda memerlukan undangan",
      body: [
        "Hanya orang dengan undangan yang dapat bergabung dengan antrean ini. Buka tautan undangan Anda di browser ini.",
        "Jika Anda baru saja melakukannya, izinkan cookie untuk situs ini dan buka lagi tautannya.",
      ],
    },
    "invitation-bad": {
      heading: "Undangan ini tidak dapat dibaca",
      body: [
        "Tautannya mungkin terpotong atau berubah di perjalanan. Buka lagi dari pesan yang memuatnya, atau salin seluruhnya.",
        "Jika itu tidak membantu, minta yang baru kepada pengirimnya.",
      ],
    },
    "invitation-expired": {
      heading: "Undangan ini sudah kedaluwarsa",
      body: ["Waktu untuk menggunakannya sudah habis. Minta yang baru kepada pengirimnya."],
    },
    "invitation-other-room": {
      heading: "Undangan ini untuk hal lain",
      body: ["Undangan ini tidak membuka antrean ini. Cari undangan untuk antrean ini, atau tanyakan kepada pengirimnya."],
    },
    "invitation-used": {
      heading: "Undangan ini sudah digunakan",
      body: [
        "Semua tempat yang diberikannya sudah diambil. Jika salah satunya milik Anda, lanjutkan di browser tempat Anda pertama kali membukanya.",
        "Jika tidak, minta yang baru kepada pengirimnya.",
      ],
    },
    "identity-needed": {
      heading: "Silakan masuk ke akun Anda dahulu",
      body: [
        "Hanya orang yang sudah masuk ke akunnya yang dapat bergabung dengan antrean ini. Masuk ke akun Anda, kembali ke halaman ini, lalu coba lagi.",
      ],
    },
    "identity-bad": {
      heading: "Silakan masuk lagi ke akun Anda",
      body: ["Sesi akun Anda tidak berlaku di sini. Keluar, masuk lagi, kembali ke halaman ini, lalu coba lagi."],
    },
    "identity-expired": {
      heading: "Sesi akun Anda sudah berakhir",
      body: ["Waktu sesi Anda sudah habis. Masuk lagi ke akun Anda, kembali ke halaman ini, lalu coba lagi."],
    },
    "identity-unchecked": {
      heading: "Kami sedang tidak dapat memeriksa akun Anda",
      body: ["Anda tidak perlu melakukan apa pun: halaman ini terus mencoba dan memberi Anda tempat sesegera mungkin."],
    },
  },
  ahead: { other: "orang di depan Anda" },
  aheadReturning: { other: "orang lain yang kembali berada di depan Anda" },
  aheadTab: { other: "{n} di depan" },
  aheadSentence: { other: "Ada {n} orang di depan Anda." },
  takesIn: "Saat giliran Anda tiba, halaman ini membawa Anda masuk.",
  returners: { other: "{n} orang yang melewatkan gilirannya sudah kembali dan masuk di antaranya." },
  wait: "Perkiraan waktu tunggu: {wait}",
  waitAt: "Perkiraan waktu tunggu: {wait} (sekitar pukul {clock})",
  rose: "Antrean melambat, jadi perkiraannya lebih lama dari sebelumnya.",
  waitUnknown: "Kami belum dapat memperkirakan waktu tunggu.",
  about: "sekitar {time}",
  lessThan: "kurang dari {time}",
  moreThan: "lebih dari {time}",
  range: "{from} sampai {to}",
  takeovers: { other: "{n} kali lagi" },
  way: "Perjalanan Anda dalam antrean",
  message: "Pesan dari situs",
  messageAt: "Waktu pesan: {time}",
  startsIn: "Dimulai dalam {time}",
  startsNow: "Sedang dimulai. Tempat Anda menyusul sebentar lagi.",
  entered: { other: "{n} orang telah mendaftar." },
  randomPlace:
    "Semua orang yang mendaftar sampai saat itu mendapat tempat acak. Setelah lobi dibuka, datang lebih awal tidak memberi keuntungan.",
  sealed: "Undian disegel sebelum ada yang mendaftar ({commitment}).",
  beaconRule:
    "Undian ini juga memerlukan angka acak publik yang baru muncul setelah mulai, sehingga tidak ada yang dapat mengetahui urutannya lebih dahulu.",
  beaconNone: "Undian ini tidak memakai angka acak publik: pengelola ruang ini bisa saja mengetahui urutannya lebih dahulu.",
  calendar: "Tambahkan ke kalender",
  calendarTurn: "{title}: giliran Anda, paling awal",
  howDrawn: "Cara kerja undian",
  checkDraw: "Bagaimana tempat Anda diundi",
  placeTitle: "Tempat Anda",
  placeNotes: [
    "Tempat Anda tersimpan di browser ini; tempat itu hilang jika Anda menghapus cookie atau menutup jendela penyamaran.",
    "Jika Anda menutup halaman ini, tempat Anda tetap tersimpan. Jika Anda tidak ada saat giliran tiba, Anda punya sedikitnya 10 menit untuk kembali dan masuk bersama yang berikutnya.",
    "Dipersilakan masuk tidak berarti yang Anda inginkan masih tersedia.",
  ],
  reference: "Kode referensi untuk bantuan: {code}",
  rejoin: "Jika bergabung lagi, Anda mulai dari akhir antrean.",
  rejoinLobby: "Acara belum dimulai: jika bergabung lagi, Anda ikut serta seperti siapa pun yang datang sekarang.",
  leave: "Tinggalkan antrean",
  leaveConsequence: "Tempat Anda beralih ke orang berikutnya. Jika kembali nanti, Anda mulai dari akhir antrean.",
  leaveLobby:
    "Pendaftaran Anda tetap dihitung, tetapi tempatnya tidak dipakai siapa pun. Jika kembali sebelum dimulai, Anda mendapat pendaftaran lain.",
  leaveConfirm: "Ya, lepaskan tempat saya",
  enter: "Masuk sekarang",
  join: "Bergabung lagi",
  stay: "Tetap di sini",
  copyLink: "Salin tautan",
  copied: "Tersalin",
  continueHere: "Lanjutkan di sini",
  tryAgain: "Coba lagi",
  logIn: "Masuk ke akun",
  invitation: "Undangan Anda: tautannya, atau kode panjang di dalamnya",
  useInvitation: "Gunakan undangan ini",
  check: "Periksa sekarang",
  language: "Bahasa",
  updated: "Pembaruan terakhir {time}",
  updatesItself: "Halaman ini memperbarui dirinya sendiri.",
  pauseUpdates: "Jeda pembaruan",
  showUpdates: "Tampilkan pembaruan",
  updatesPaused: "Pembaruan dijeda. Tempat Anda tetap tersimpan, dan halaman ini tetap memberi tahu saat giliran Anda tiba.",
  reloadsItself: "Halaman ini dimuat ulang setiap {time}.",
  reloadsStop: "Hentikan pemuatan ulang",
  reloadsOff: "Halaman ini tidak memperbarui dirinya sendiri.",
  reloadsStart: "Perbarui otomatis",
  enteringIn: "Situs terbuka dalam {time}",
  entering: "Membuka situs…",
  yourTurn: "Sekarang giliran Anda. Situs terbuka dalam beberapa detik, atau tekan “Masuk sekarang”.",
  yourTurnForm: "Sekarang giliran Anda. Anda dapat mengirim formulir Anda sekarang.",
  stayOn: "Tetap di halaman ini",
  staying: "Sekarang giliran Anda. Halaman ini tidak akan masuk dengan sendirinya.",
  turnEnds: "Sisa waktu untuk masuk: {time}",
  moreTime: "Saya perlu waktu lebih",
  alerts: {
    me: "Beri tahu saya saat giliran saya",
    sound: "Putar suara",
    vibrate: "Getarkan",
    notification: "Tampilkan notifikasi",
    screen: "Biarkan layar menyala",
    refused: "Peramban Anda tidak mengizinkannya.",
  },
  offline: "Anda sedang luring. Halaman ini berlanjut saat Anda tersambung lagi.",
  offlineTab: "Luring",
  noAnswer: "Belum ada jawaban saat ini. Halaman ini terus mencoba.",
  placeKept: "Tempat Anda tetap tersimpan.",
  backAgain: "Anda tersambung lagi.",
  proof: {
    progress: "Kemajuan pemeriksaan",
    working:
      "Perangkat Anda sedang menghitung sesuatu. Ini memerlukan beberapa detik, jarang sampai satu atau dua menit; Anda tidak perlu melakukan apa pun.",
    done: "{percent} pemeriksaan selesai.",
    shown: "Pemeriksaan selesai.",
    again: "Yang ditunjukkan browser Anda tidak berlaku lagi, jadi pemeriksaan diminta sekali lagi.",
    unchecked: "Kami sedang tidak dapat melakukan pemeriksaan. Halaman ini terus mencoba; Anda tidak perlu melakukan apa pun.",
    stop: "Hentikan pemeriksaan",
    start: "Mulai pemeriksaan",
    stopped: "Pemeriksaan dihentikan. Halaman ini sesekali tetap mencoba apakah Anda mendapat tempat tanpanya.",
    failed: "Browser ini tidak dapat melakukan pemeriksaan. Halaman ini sesekali tetap mencoba apakah Anda mendapat tempat tanpanya.",
    widget: "Pemeriksaan ini dilakukan oleh Cloudflare Turnstile.",
    widgetFailed:
      "Pemeriksaan tidak dapat dimuat dari challenges.cloudflare.com. Jika ada yang memblokir alamat itu, izinkan, lalu mulai lagi.",
    noScripts:
      "Pemeriksaan memerlukan JavaScript. Izinkan untuk situs ini, atau biarkan halaman ini terbuka: halaman ini sesekali mencoba apakah Anda mendapat tempat tanpanya.",
  },
  formLost: "Yang Anda kirim tidak sampai ke situs. Setelah Anda di dalam, halaman ini terbuka tanpanya; silakan kirim lagi dari sana.",
  formKept:
    "Yang Anda kirim tidak sampai ke situs. Biarkan halaman ini tetap terbuka: begitu Anda di dalam, Anda dapat mengirimnya lagi dari sini.",
  formSend: "Kirim lagi",
  formFirst: "Untuk masuk, buka halaman ini di tab baru. Setelah situs terbuka di sana, kembali ke sini dan kirim lagi.",
  formOpen: "Buka halaman ini di tab baru",
  sentence: "{text}.",
};
