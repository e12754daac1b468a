/** The words of the page in Turkish. Pure data; what each is for: ../words.ts. */
import type { Words } from "../words";

const rejoin = "{rejoin}";

export const words: Words = {
  kinds: {
    joining: { heading: "Yeriniz bulunuyor", body: ["Bu birkaç saniye sürer. Lütfen bu sayfayı açık tutun."] },
    "in-app": {
      heading: "Bu sayfayı kendi tarayıcınızda açmanız daha iyi olur",
      body: [
        "Başka bir uygulamanın içindeki tarayıcıdasınız. O uygulama bu sayfayı kapatırsa yeriniz kaybolabilir.",
        "Bağlantıyı kopyalayıp her zaman kullandığınız tarayıcıda açın. Kalırsanız yerinizi {due} içinde burada alırsınız.",
      ],
    },
    "joining-unreachable": {
      heading: "Sıraya şu anda ulaşılamıyor",
      body: ["Şu anda kimse sıraya giremiyor. Bu sayfa denemeyi sürdürüyor ve mümkün olur olmaz size bir yer verecek."],
    },
    "storage-full": {
      heading: "Sıra kimseyi alamıyor",
      body: ["Bir yeriniz varsa yeriniz korunur. Lütfen daha sonra tekrar gelin; bu sayfa da denemeyi sürdürüyor."],
    },
    waiting: { heading: "Sıradasınız", body: [] },
    next: { heading: "Bir sonraki kişi sizsiniz", body: ["Yer açılır açılmaz içeri alınacaksınız. Lütfen bu sayfada kalın."] },
    nearly: { heading: "Az kaldı", body: ["Lütfen bu sayfada kalın ve bilgilerinizi hazır bulundurun."] },
    slow: { heading: "Sıradasınız", tab: "Beklenenden yavaş", body: ["Sıra beklenenden daha yavaş ilerliyor."] },
    "not-moving": { heading: "Sıra ilerlemiyor", body: ["Şu anda kimse içeri alınmıyor. Yeriniz korunuyor."] },
    restarted: { heading: "Bekleme odası yeniden başlatıldı", body: ["Sıra yeniden başladı ve bu sırada yeni bir yeriniz var."] },
    unreachable: {
      heading: "Sıraya şu anda ulaşılamıyor",
      body: ["Yeriniz korunuyor. Bu sayfa denemeyi sürdürüyor; bir şey yapmanız gerekmez."],
    },
    paused: { heading: "Sıra duraklatıldı", body: ["Şimdilik kimse içeri alınmıyor. Yeriniz korunuyor."] },
    called: {
      heading: "Sıra sizde",
      tab: "● Sıra sizde",
      body: ["Şimdi girebilirsiniz.", "Girmek için kalan süre: {valid}. Ardından bir sonraki kişi çağrılır."],
    },
    moment: {
      heading: "Sıra sizde",
      tab: "● Giriliyor",
      body: ["Site sizin için {due} içinde açılacak. Lütfen bu sayfada kalın."],
    },
    missed: {
      heading: "Siz yokken sıranız geldi",
      tab: "Bir sonraki kişi sizsiniz",
      body: [
        "Bir sonraki kişi sizsiniz: yer açılır açılmaz içeri alınacaksınız. Lütfen bu sayfada kalın.",
        "Bu ikinci hak için kalan süre: {valid}.",
      ],
    },
    "missed-others": {
      heading: "Siz yokken sıranız geldi",
      tab: "Sonraki kişiler arasındasınız",
      body: [
        "Sizin gibi geri dönen başkalarının ardından, sonraki kişiler arasında içeri alınacaksınız. Lütfen bu sayfada kalın.",
        "Bu ikinci hak için kalan süre: {valid}.",
      ],
    },
    "welcome-back": {
      heading: "Tekrar hoş geldiniz",
      body: [
        "Bir süre yoktunuz ve şu anda boş yer yok. Sonraki kişiler arasında içeri alınacaksınız.",
        "Bu ikinci hak için kalan süre: {valid}.",
      ],
    },
    inside: { heading: "İçeridesiniz", body: ["İçeri alındınız. Siteye devam edebilirsiniz."] },
    "room-off": { heading: "Girebilirsiniz", body: ["Artık sıra yok. Site sizin için {due} içinde açılacak."] },
    void: {
      heading: "Başka bir pencereden girdiniz",
      body: ["Ziyaretiniz orada sürüyor. Burada devam ederseniz diğer pencere durur.", "Burada {takeovers} devam edebilirsiniz."],
    },
    "void-final": {
      heading: "Başka bir pencereden girdiniz",
      tab: "Ziyaretiniz başka yerde sürüyor",
      body: ["Ziyaretiniz orada sürüyor. Pencereler arasında çok sık geçtiği için burada sürdürülemez.", rejoin],
    },
    left: { heading: "Sıradan ayrıldınız", body: [`Yeriniz bir sonraki kişiye geçti. ${rejoin}`] },
    removed: { heading: "Yerinize son verildi", body: [`Bunu bu sitenin yöneticileri yaptı. ${rejoin}`] },
    flushed: {
      heading: "Sıra boşaltıldı",
      body: ["Bu sitenin yöneticileri bütün yerlere son verdi. Sıraya yeniden girebilirsiniz."],
    },
    "turn-over": { heading: "Sıranız geçti", body: [`Çağrıldınız ve geri dönme süresi doldu. ${rejoin}`] },
    "visit-over": { heading: "Ziyaretiniz sona erdi", body: [`Bu ziyaretin süresi doldu. ${rejoin}`] },
    "network-changed": {
      heading: "Hâlâ siz misiniz?",
      body: ["Bağlantınız birkaç kez değişti. Yeriniz korunuyor: buradan devam edin, başka hiçbir şey değişmez."],
    },
    "place-void": {
      heading: "Yeriniz dolu",
      body: [`Bu sitenin anahtarlarını değiştirmesi gerekti ve bu yeri önce başka bir tarayıcı gösterdi. ${rejoin}`],
    },
    ended: { heading: "Yeriniz artık geçerli değil", body: [`Bu yer artık sırada değil. ${rejoin}`] },
    "sold-out": { heading: "Tükendi", body: ["Artık kimse içeri alınmıyor. Daha fazla beklemeniz gerekmez."] },
    full: {
      heading: "Sıra dolu",
      body: ["Şu anda daha fazla kişi için yer yok. Bu sayfa denemeyi sürdürüyor ve yer açılır açılmaz size bir yer verecek."],
    },
    closed: {
      heading: "Sıra yeni gelenlere kapalı",
      body: ["Şu anda kimse sıraya giremiyor. Sıradaki kişilerin yerleri korunuyor. Bu sayfa denemeyi sürdürüyor."],
    },
    "network-limit": {
      heading: "Ağınızdan çok fazla kişi var",
      body: [
        "Az önce ağınızdan çok sayıda kişi sıraya girdi. Okullar, iş yerleri ve mobil ağlar çoğu zaman tek bir adresi paylaşır.",
        "Bu sayfa denemeyi sürdürüyor. Başka bir ağ, örneğin kablosuz ağ yerine mobil veri, daha hızlı olabilir.",
      ],
    },
    "network-refused": {
      heading: "Bu ağdan kimse sıraya giremez",
      body: ["Bu sitenin yöneticileri, kullandığınız ağdan kimseyi sıraya almıyor. Başka bir ağ, örneğin mobil veri, işe yarayabilir."],
    },
    challenge: {
      heading: "Önce kısa bir kontrol",
      body: [
        "Şu anda çok sayıda yeni kişi geliyor. Yer almadan önce tarayıcınız, bir robotun çalıştırdığı binlercesinden biri olmadığını gösterir.",
      ],
    },
    "cookies-needed": {
      heading: "Lütfen çerezlere izin verin",
      body: [
        "Yerinizi bir çerezde saklıyoruz. Çerez olmadan sıranızın ne zaman geldiğini bilemeyiz.",
        "Tarayıcınızın ayarlarından bu site için çerezlere izin verin, sonra yeniden deneyin.",
      ],
    },
    lobby: {
      heading: "Lobidesiniz",
      body: ["Başlangıç: {starts}.", "Etkinliğin yapıldığı yerde saat: {startsThere}.", "{entered}", "{random}", "{sealed}"],
    },
    "lobby-line": {
      heading: "Sıradasınız ve henüz başlamadı",
      body: ["Başlangıç: {starts}.", "Etkinliğin yapıldığı yerde saat: {startsThere}.", "Yeriniz korunuyor."],
    },
    delayed: {
      heading: "Planlanandan geç başlıyor",
      body: [
        "Planlanan: {planned}. Yeni başlangıç: {starts}.",
        "Etkinliğin yapıldığı yerde saat: {startsThere}.",
        "Kaydınız sayıldı; bir şey yapmanız gerekmez.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    drawing: { heading: "Yerler çekiliyor…", body: ["{entered}", "Bu birkaç saniye sürer. Lütfen bu sayfayı açık tutun."] },
    "awaiting-number": {
      heading: "Herkese açık rastgele sayı bekleniyor",
      tab: "Yerler çekiliyor…",
      body: [
        "{entered}",
        "Sıralama, henüz kimsenin bilmediği, herkese açık rastgele bir sayıya göre belirlenir. Bu sayıyı bekliyoruz.",
        "Çoğunlukla yarım dakika içinde gelir. Çok gecikirse yerler onsuz çekilir ve çekilişin kaydında bu belirtilir.",
        "Lütfen bu sayfayı açık tutun.",
      ],
    },
    dealing: {
      heading: "Yerler dağıtılıyor…",
      body: [
        "Aynı kısa süre içinde gelen herkes, kendi aralarında rastgele bir yer alır. Biraz daha hızlı olmak bir şey kazandırmaz.",
        "Lütfen bu sayfayı açık tutun.",
      ],
    },
    cancelled: { heading: "Bu iptal edildi", body: ["Bu sitenin yöneticileri iptal etti."] },
    "cancelled-line": {
      heading: "Bu iptal edildi",
      body: ["Bu sitenin yöneticileri iptal etti. Olağan sıradaki yeriniz korunuyor."],
    },
    "outside-events": { heading: "Şu anda açık değil", body: ["Açılış: {opens}.", "Açılıncaya kadar kimse içeri alınmaz."] },
    rejected: {
      heading: "Şu anda kimse içeri alınmıyor",
      body: ["Girilecek bir sıra da yok. Lütfen daha sonra tekrar gelin."],
    },
    "left-lobby": {
      heading: "Lobiden ayrıldınız",
      body: ["Kaydınız sayılmaya devam eder ve yeri kullanılmaz. Başlamadan önce yeniden girerseniz yeni bir kayıt alırsınız."],
    },
    "invitation-needed": {
      heading: "Davetiye gerekiyor",
      body: [
        "Bu sıraya yalnızca davetiyesi olanlar girebilir. Davetiyenizdeki bağlantıyı bu tarayıcıda açın.",
        "Bunu az önce yaptıysanız bu site için çerezlere izin verin ve bağlantıyı yeniden açın.",
      ],
    },
    "invitation-bad": {
      heading: "Bu davetiye okunamıyor",
      body: [
        "Bağlantı yolda kesilmiş veya değişmiş olabilir. Geldiği iletiden yeniden açın ya da tamamını kopyalayın.",
        "Bu işe yaramazsa gönderenden yenisini isteyin.",
      ],
    },
    "invitation-expired": {
      heading: "Bu davetiyenin süresi dolmuş",
      body: ["Kullanma süresi sona erdi. Gönderenden yenisini isteyin."],
    },
    "invitation-other-room": {
      heading: "Bu davetiye başka bir şey için",
      body: ["Bu sırayı açmaz. Bu sıranın davetiyesini bulun ya da gönderene sorun."],
    },
    "invitation-used": {
      heading: "Bu davetiye kullanılmış",
      body: [
        "Verdiği bütün yerler alınmış. Bunlardan biri sizinse davetiyeyi ilk açtığınız tarayıcıda devam edin.",
        "Değilse gönderenden yenisini isteyin.",
      ],
    },
    "identity-needed": {
      heading: "Lütfen önce oturum açın",
      body: ["Bu sıraya yalnızca oturum açmış kişiler girebilir. Oturum açın, bu sayfaya dönün ve yeniden deneyin."],
    },
    "identity-bad": {
      heading: "Lütfen yeniden oturum açın",
      body: ["Oturumunuz burada geçerli değil. Oturumu kapatıp yeniden açın, bu sayfaya dönün ve yeniden deneyin."],
    },
    "identity-expired": {
      heading: "Oturumunuzun süresi doldu",
      body: ["Oturumunuz sona erdi. Yeniden oturum açın, bu sayfaya dönün ve yeniden deneyin."],
    },
    "identity-unchecked": {
      heading: "Oturumunuzu şu anda kontrol edemiyoruz",
      body: ["Bir şey yapmanız gerekmez: bu sayfa denemeyi sürdürüyor ve mümkün olur olmaz size bir yer verecek."],
    },
  },
  ahead: { one: "kişi önünüzde", other: "kişi önünüzde" },
  aheadReturning: { one: "geri dönen kişi daha önünüzde", other: "geri dönen kişi daha önünüzde" },
  aheadTab: { other: "Önünüzde {n}" },
  aheadSentence: { one: "Önünüzde {n} kişi var.", other: "Önünüzde {n} kişi var." },
  takesIn: "Sıra size geldiğinde bu sayfa sizi içeri alır.",
  returners: {
    one: "Sırasını kaçırmış {n} kişi geri döndü ve araya giriyor.",
    other: "Sırasını kaçırmış {n} kişi geri döndü ve araya giriyor.",
  },
  wait: "Tahmini bekleme: {wait}",
  waitAt: "Tahmini bekleme: {wait} (saat {clock} civarı)",
  rose: "Sıra yavaşladı, bu yüzden tahmin öncekinden daha uzun.",
  waitUnknown: "Bekleme süresini henüz tahmin edemiyoruz.",
  about: "yaklaşık {time}",
  lessThan: "en fazla {time}",
  moreThan: "en az {time}",
  range: "{from} – {to}",
  takeovers: { one: "{n} kez daha", other: "{n} kez daha" },
  way: "Sıradaki ilerlemeniz",
  message: "Sitenin iletisi",
  messageAt: "İletinin zamanı: {time}",
  startsIn: "Başlamasına kalan: {time}",
  startsNow: "Başlıyor. Yeriniz birazdan belli olacak.",
  entered: { one: "{n} kişi kaydoldu.", other: "{n} kişi kaydoldu." },
  randomPlace: "O ana kadar kaydolan herkes rastgele bir yer alır. Lobi açıldıktan sonra daha erken gelmek bir şey kazandırmaz.",
  sealed: "Çekiliş, kimse kaydolmadan önce mühürlendi ({commitment}).",
  beaconRule:
    "Çekiliş için, ancak başlangıçtan sonra ortaya çıkan, herkese açık rastgele bir sayı da gerekir; bu yüzden sıralamayı önceden kimse bilemez.",
  beaconNone: "Herkese açık rastgele bir sayı kullanılmıyor: bu odayı yöneten kişi sıralamayı önceden bilebilirdi.",
  calendar: "Takvime ekle",
  calendarTurn: "{title}: sıranızın gelebileceği en erken zaman",
  howDrawn: "Çekiliş nasıl yapılır",
  checkDraw: "Yeriniz nasıl çekildi",
  placeTitle: "Yeriniz",
  placeNotes: [
    "Yeriniz bu tarayıcıda saklanır; çerezleri silerseniz veya gizli bir pencereyi kapatırsanız kaybolur.",
    "Bu sayfayı kapatırsanız yeriniz korunur. Sıranız geldiğinde yoksanız geri dönüp sonraki kişiler arasında girmek için en az 10 dakikanız vardır.",
    "İçeri alınmak, istediğiniz şeyin hâlâ bulunduğu anlamına gelmez.",
  ],
  reference: "Destek için başvuru kodu: {code}",
  rejoin: "Yeniden girerseniz sıranın sonundan başlarsınız.",
  rejoinLobby: "Henüz başlamadı: yeniden girerseniz şimdi gelen herkes gibi katılırsınız.",
  leave: "Sıradan ayrıl",
  leaveConsequence: "Yeriniz bir sonraki kişiye geçer. Daha sonra geri gelirseniz sıranın sonundan başlarsınız.",
  leaveLobby: "Kaydınız sayılmaya devam eder ama yerini kimse kullanmaz. Başlamadan önce geri gelirseniz yeni bir kayıt alırsınız.",
  leaveConfirm: "Evet, yerimden vazgeçiyorum",
  enter: "Şimdi gir",
  join: "Yeniden sıraya gir",
  stay: "Burada kal",
  copyLink: "Bağlantıyı kopyala",
  copied: "Kopyalandı",
  continueHere: "Burada devam et",
  tryAgain: "Yeniden dene",
  logIn: "Oturum aç",
  invitation: "Davetiyeniz: bağlantısı ya da içindeki uzun kod",
  useInvitation: "Bu davetiyeyi kullan",
  check: "Şimdi kontrol et",
  language: "Dil",
  updated: "Son güncelleme {time}",
  updatesItself: "Bu sayfa kendiliğinden güncellenir.",
  reloadsItself: "Bu sayfa düzenli olarak yeniden yüklenir. Aralık: {time}.",
  reloadsStop: "Yeniden yüklemeyi durdur",
  reloadsOff: "Bu sayfa kendiliğinden güncellenmez.",
  reloadsStart: "Kendiliğinden güncelle",
  enteringIn: "Site {time} içinde açılacak",
  entering: "Site açılıyor…",
  yourTurn: "Sıra sizde. Site birkaç saniye içinde açılacak; dilerseniz “Şimdi gir” düğmesine basın.",
  yourTurnForm: "Sıra sizde. Formunuzu şimdi gönderebilirsiniz.",
  offline: "Çevrimdışısınız. Bağlantı geri geldiğinde bu sayfa devam eder.",
  offlineTab: "Çevrimdışı",
  noAnswer: "Şu anda yanıt yok. Bu sayfa denemeyi sürdürüyor.",
  placeKept: "Yeriniz korunuyor.",
  backAgain: "Yeniden bağlandınız.",
  proof: {
    progress: "Kontrolün ilerlemesi",
    working: "Cihazınız bir hesap yapıyor. Bu birkaç saniye, nadiren bir iki dakika sürer; bir şey yapmanız gerekmez.",
    done: "Kontrolün tamamlanan bölümü: {percent}.",
    shown: "Kontrol tamamlandı.",
    again: "Tarayıcınızın gösterdiği artık geçerli değil, bu yüzden kontrol bir kez daha isteniyor.",
    unchecked: "Kontrolü şu anda yapamıyoruz. Bu sayfa denemeyi sürdürüyor; bir şey yapmanız gerekmez.",
    stop: "Kontrolü durdur",
    start: "Kontrolü başlat",
    stopped: "Kontrol durduruldu. Bu sayfa yine de ara sıra kontrolsüz bir yer alıp alamayacağınızı dener.",
    failed: "Bu tarayıcı kontrolü yapamıyor. Bu sayfa yine de ara sıra kontrolsüz bir yer alıp alamayacağınızı dener.",
    widget: "Bu kontrolü Cloudflare Turnstile yapar.",
    widgetFailed:
      "Kontrol challenges.cloudflare.com adresinden yüklenemedi. Bir şey bu adresi engelliyorsa izin verin, sonra yeniden başlayın.",
    noScripts:
      "Kontrol için JavaScript gerekir. Bu site için izin verin ya da bu sayfayı açık bırakın: sayfa ara sıra kontrolsüz bir yer alıp alamayacağınızı dener.",
  },
  formLost: "Gönderdikleriniz siteye ulaşmadı. İçeri girdiğinizde bu sayfa onlarsız açılır; lütfen oradan yeniden gönderin.",
  formKept: "Gönderdikleriniz siteye ulaşmadı. Lütfen bu sayfayı açık tutun: içeri girdiğinizde buradan yeniden gönderebilirsiniz.",
  formSend: "Yeniden gönder",
  formFirst: "Girmek için bu sayfayı yeni bir sekmede açın. Site orada açıldığında buraya dönüp yeniden gönderin.",
  formOpen: "Bu sayfayı yeni bir sekmede aç",
  sentence: "{text}.",
};
