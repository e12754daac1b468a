/** The words of the page in Spanish. Pure data; what each is for: ../words.ts. */
import type { Words } from "../words";

const rejoin = "{rejoin}";

export const words: Words = {
  kinds: {
    joining: { heading: "Buscando su lugar", body: ["Esto tarda unos segundos. Mantenga abierta esta página."] },
    "in-app": {
      heading: "Es mejor abrir esta página en su navegador",
      body: [
        "Está en el navegador integrado de otra aplicación. Si esa aplicación cierra esta página, puede perder su lugar.",
        "Copie el enlace y ábralo en el navegador que usa normalmente. Si se queda, obtendrá su lugar aquí en {due}.",
      ],
    },
    "joining-unreachable": {
      heading: "Ahora mismo no podemos acceder a la fila",
      body: ["Nadie puede unirse por el momento. Esta página sigue intentándolo y le dará un lugar en cuanto pueda."],
    },
    "storage-full": {
      heading: "La fila no puede admitir a nadie",
      body: ["Si tiene un lugar, lo conserva. Vuelva más tarde; esta página también sigue intentándolo."],
    },
    waiting: { heading: "Está en la fila", body: [] },
    next: { heading: "El siguiente turno es el suyo", body: ["Entrará en cuanto haya sitio. Permanezca en esta página."] },
    nearly: { heading: "Ya falta poco", body: ["Permanezca en esta página y tenga sus datos a mano."] },
    slow: { heading: "Está en la fila", tab: "Más lento de lo previsto", body: ["La fila avanza más despacio de lo previsto."] },
    "not-moving": { heading: "La fila no avanza", body: ["Por el momento no entra nadie. Conserva su lugar."] },
    restarted: { heading: "La sala se ha reiniciado", body: ["La fila ha empezado de nuevo y usted tiene un nuevo lugar en ella."] },
    unreachable: {
      heading: "Ahora mismo no podemos acceder a la fila",
      body: ["Conserva su lugar. Esta página sigue intentándolo; no tiene que hacer nada."],
    },
    paused: { heading: "La fila está en pausa", body: ["Por ahora no entra nadie. Conserva su lugar."] },
    called: {
      heading: "Es su turno",
      tab: "● Su turno",
      body: ["Ya puede entrar.", "Su turno dura {valid}. Después se llamará a la siguiente persona."],
    },
    moment: {
      heading: "Es su turno",
      tab: "● Entrando",
      body: ["El sitio se abrirá para usted en {due}. Permanezca en esta página."],
    },
    missed: {
      heading: "Su turno llegó mientras no estaba",
      tab: "Le toca a continuación",
      body: ["Le toca a continuación: entrará en cuanto haya sitio. Permanezca en esta página.", "Esta segunda oportunidad dura {valid}."],
    },
    "missed-others": {
      heading: "Su turno llegó mientras no estaba",
      tab: "Está entre los siguientes",
      body: [
        "Entrará entre los siguientes, después de otras personas que también han vuelto. Permanezca en esta página.",
        "Esta segunda oportunidad dura {valid}.",
      ],
    },
    "welcome-back": {
      heading: "Nos alegra verle de nuevo",
      body: [
        "Ha estado fuera un rato y ahora mismo no hay ningún sitio libre. Entrará entre los siguientes.",
        "Esta segunda oportunidad dura {valid}.",
      ],
    },
    inside: { heading: "Ya está dentro", body: ["Se le ha dado acceso. Puede continuar al sitio."] },
    "room-off": { heading: "Puede entrar", body: ["Ya no hay fila. El sitio se abrirá para usted en {due}."] },
    void: {
      heading: "Ha entrado desde otra ventana",
      body: ["Su visita continúa allí. Si continúa aquí, la otra ventana se detendrá.", "Puede continuar aquí {takeovers}."],
    },
    "void-final": {
      heading: "Ha entrado desde otra ventana",
      tab: "Su visita continúa en otro lugar",
      body: ["Su visita continúa allí. Ha cambiado de ventana demasiadas veces para continuar aquí.", rejoin],
    },
    left: { heading: "Ha salido de la fila", body: [`Su lugar ha pasado a la siguiente persona. ${rejoin}`] },
    removed: { heading: "Su lugar se ha anulado", body: [`Los responsables de este sitio lo han anulado. ${rejoin}`] },
    flushed: {
      heading: "La fila se ha vaciado",
      body: ["Los responsables de este sitio han anulado todos los lugares. Puede volver a unirse."],
    },
    "turn-over": { heading: "Su turno ha pasado", body: [`Se le llamó, y el tiempo para volver ha terminado. ${rejoin}`] },
    "visit-over": { heading: "Su visita ha terminado", body: [`Esta visita ha terminado. ${rejoin}`] },
    "network-changed": {
      heading: "¿Sigue siendo usted?",
      body: ["Su conexión ha cambiado varias veces. Su lugar se conserva: continúe aquí y nada más cambiará."],
    },
    "place-void": {
      heading: "Su lugar está ocupado",
      body: [`Este sitio tuvo que cambiar sus claves, y otro navegador mostró antes este lugar. ${rejoin}`],
    },
    ended: { heading: "Su lugar ya no es válido", body: [`Este lugar ya no está en la fila. ${rejoin}`] },
    "sold-out": { heading: "Agotado", body: ["Ya no entra nadie más. No hace falta que siga esperando."] },
    full: {
      heading: "La fila está llena",
      body: ["Ahora mismo no hay sitio para más personas. Esta página sigue intentándolo y le dará un lugar en cuanto haya uno."],
    },
    closed: {
      heading: "La fila no admite a nadie más",
      body: ["Nadie puede unirse por el momento. Quienes están en la fila conservan su lugar. Esta página sigue intentándolo."],
    },
    "network-limit": {
      heading: "Demasiadas personas desde su red",
      body: [
        "Muchas personas de su red acaban de unirse. Las escuelas, las oficinas y las redes móviles suelen compartir una misma dirección.",
        "Esta página sigue intentándolo. Otra red, como los datos móviles en lugar de la wifi, puede ser más rápida.",
      ],
    },
    "network-refused": {
      heading: "Nadie puede unirse desde esta red",
      body: [
        "Los responsables de este sitio no admiten a nadie desde la red que utiliza. Otra red puede funcionar, por ejemplo los datos móviles.",
      ],
    },
    challenge: {
      heading: "Primero, una breve comprobación",
      body: [
        "Están llegando muchas personas nuevas. Antes de recibir un lugar, su navegador demuestra que no es uno de los miles que maneja un robot.",
      ],
    },
    "cookies-needed": {
      heading: "Permita las cookies",
      body: [
        "Guardamos su lugar en una cookie. Sin ella no podemos saber cuándo es su turno.",
        "Permita las cookies de este sitio en los ajustes de su navegador e inténtelo de nuevo.",
      ],
    },
    lobby: {
      heading: "Está en la sala previa",
      body: ["Comienzo: {starts}.", "En el lugar del evento, eso es {startsThere}.", "{entered}", "{random}", "{sealed}"],
    },
    "lobby-line": {
      heading: "Está en la fila y aún no ha empezado",
      body: ["Comienzo: {starts}.", "En el lugar del evento, eso es {startsThere}.", "Conserva su lugar."],
    },
    delayed: {
      heading: "Empieza más tarde de lo previsto",
      body: [
        "Estaba previsto: {planned}. Nuevo comienzo: {starts}.",
        "En el lugar del evento, eso es {startsThere}.",
        "Ya se le ha contado; no tiene que hacer nada.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    drawing: { heading: "Sorteando los lugares…", body: ["{entered}", "Esto tarda unos segundos. Mantenga abierta esta página."] },
    "awaiting-number": {
      heading: "Esperando el número aleatorio público",
      tab: "Sorteando los lugares…",
      body: [
        "{entered}",
        "El orden se deduce de un número aleatorio público que nadie conoce todavía. Lo estamos esperando.",
        "Suele llegar en menos de medio minuto. Si tarda demasiado, los lugares se sortean sin él, y el acta del sorteo lo indica.",
        "Mantenga abierta esta página.",
      ],
    },
    dealing: {
      heading: "Repartiendo los lugares…",
      body: [
        "Todas las personas que llegaron en el mismo breve intervalo reciben entre ellas un lugar al azar. Ser un poco más rápido no da ninguna ventaja.",
        "Mantenga abierta esta página.",
      ],
    },
    cancelled: { heading: "Se ha cancelado", body: ["Los responsables de este sitio lo han cancelado."] },
    "cancelled-line": {
      heading: "Se ha cancelado",
      body: ["Los responsables de este sitio lo han cancelado. Conserva su lugar en la fila normal."],
    },
    "outside-events": { heading: "Ahora no está abierto", body: ["Apertura: {opens}.", "Nadie entra hasta que se abra."] },
    rejected: { heading: "Por el momento no entra nadie", body: ["Tampoco hay una fila a la que unirse. Vuelva más tarde."] },
    "left-lobby": {
      heading: "Ha salido de la sala previa",
      body: ["Su inscripción sigue contando y su lugar queda sin usar. Si vuelve antes del comienzo, recibirá otra inscripción."],
    },
    "invitation-needed": {
      heading: "Necesita una invitación",
      body: [
        "Solo las personas con invitación pueden unirse a esta fila. Abra el enlace de su invitación en este navegador.",
        "Si acaba de hacerlo, permita las cookies de este sitio y abra el enlace de nuevo.",
      ],
    },
    "invitation-bad": {
      heading: "No se puede leer esta invitación",
      body: [
        "Es posible que su enlace se haya cortado o modificado por el camino. Ábralo de nuevo desde el mensaje en que llegó, o cópielo entero.",
        "Si eso no ayuda, pida una nueva a quien se la envió.",
      ],
    },
    "invitation-expired": {
      heading: "Esta invitación ha caducado",
      body: ["El tiempo para usarla ha terminado. Pida una nueva a quien se la envió."],
    },
    "invitation-other-room": {
      heading: "Esta invitación es para otra cosa",
      body: ["No abre esta fila. Busque la invitación a esta, o pregunte a quien se la envió."],
    },
    "invitation-used": {
      heading: "Esta invitación ya se ha usado",
      body: [
        "Todos los lugares que da están ocupados. Si uno de ellos es suyo, continúe en el navegador donde la abrió primero.",
        "Si no, pida una nueva a quien se la envió.",
      ],
    },
    "identity-needed": {
      heading: "Inicie sesión primero",
      body: [
        "Solo las personas que han iniciado sesión pueden unirse a esta fila. Inicie sesión, vuelva a esta página e inténtelo de nuevo.",
      ],
    },
    "identity-bad": {
      heading: "Inicie sesión de nuevo",
      body: ["Su sesión no es válida aquí. Cierre la sesión, iníciela de nuevo, vuelva a esta página e inténtelo otra vez."],
    },
    "identity-expired": {
      heading: "Su sesión ha caducado",
      body: ["El tiempo de su sesión ha terminado. Inicie sesión de nuevo, vuelva a esta página e inténtelo otra vez."],
    },
    "identity-unchecked": {
      heading: "Ahora mismo no podemos comprobar su sesión",
      body: ["No tiene que hacer nada: esta página sigue intentándolo y le dará un lugar en cuanto pueda."],
    },
  },
  ahead: { one: "persona delante de usted", many: "de personas delante de usted", other: "personas delante de usted" },
  aheadReturning: {
    one: "otra persona que ha vuelto está delante de usted",
    many: "de otras personas que han vuelto están delante de usted",
    other: "otras personas que han vuelto están delante de usted",
  },
  aheadTab: { other: "{n} delante" },
  aheadSentence: {
    one: "Hay {n} persona delante de usted.",
    many: "Hay {n} de personas delante de usted.",
    other: "Hay {n} personas delante de usted.",
  },
  takesIn: "Cuando sea su turno, esta página le dará paso.",
  returners: {
    one: "{n} persona que perdió su turno ha vuelto y pasa entremedias.",
    many: "{n} de personas que perdieron su turno han vuelto y pasan entremedias.",
    other: "{n} personas que perdieron su turno han vuelto y pasan entremedias.",
  },
  wait: "Espera estimada: {wait}",
  waitAt: "Espera estimada: {wait} (hacia {clock})",
  rose: "La fila va más despacio, por eso la estimación es mayor que antes.",
  waitUnknown: "Todavía no podemos estimar la espera.",
  about: "aproximadamente {time}",
  lessThan: "menos de {time}",
  moreThan: "más de {time}",
  range: "de {from} a {to}",
  takeovers: { one: "{n} vez más", many: "{n} de veces más", other: "{n} veces más" },
  way: "Su recorrido por la fila",
  message: "Mensaje del sitio",
  messageAt: "Publicado: {time}",
  startsIn: "Empieza en {time}",
  startsNow: "Empieza ahora. Su lugar llegará en un momento.",
  entered: {
    one: "Se ha inscrito {n} persona.",
    many: "Se han inscrito {n} de personas.",
    other: "Se han inscrito {n} personas.",
  },
  randomPlace:
    "Todas las personas inscritas hasta entonces recibirán un lugar al azar. Una vez abierta la sala previa, llegar antes no da ninguna ventaja.",
  sealed: "El sorteo se selló antes de que nadie se inscribiera ({commitment}).",
  beaconRule: "Necesita además un número aleatorio público que se genera después del comienzo, así que nadie puede conocer el orden antes.",
  beaconNone: "No usa ningún número aleatorio público: quienes gestionan esta sala podrían haber conocido el orden de antemano.",
  calendar: "Añadir al calendario",
  calendarTurn: "{title}: su turno, como pronto",
  howDrawn: "Cómo funciona el sorteo",
  checkDraw: "Cómo se sorteó su lugar",
  placeTitle: "Su lugar",
  placeNotes: [
    "Su lugar se guarda en este navegador; se pierde si borra las cookies o cierra una ventana privada.",
    "Si cierra esta página, conserva su lugar. Si no está cuando llega su turno, tiene al menos 10 minutos para volver y entrar entre los siguientes.",
    "Entrar no significa que lo que desea siga disponible.",
  ],
  reference: "Código de referencia para asistencia: {code}",
  rejoin: "Si vuelve a unirse, empezará al final de la fila.",
  rejoinLobby: "Todavía no ha empezado: si vuelve a unirse, participa como cualquiera que llegue ahora.",
  leave: "Salir de la fila",
  leaveConsequence: "Su lugar pasa a la siguiente persona. Si vuelve más tarde, empezará al final de la fila.",
  leaveLobby: "Su inscripción sigue contando, pero nadie usa su lugar. Si vuelve antes del comienzo, recibirá otra inscripción.",
  leaveConfirm: "Sí, renunciar a mi lugar",
  enter: "Entrar ahora",
  join: "Volver a unirse",
  stay: "Quedarme aquí",
  copyLink: "Copiar el enlace",
  copied: "Copiado",
  continueHere: "Continuar aquí",
  tryAgain: "Intentar de nuevo",
  logIn: "Iniciar sesión",
  invitation: "Su invitación: el enlace o el código largo que contiene",
  useInvitation: "Usar esta invitación",
  check: "Comprobar ahora",
  language: "Idioma",
  updated: "Última actualización {time}",
  updatesItself: "Esta página se actualiza sola.",
  reloadsItself: "Esta página se recarga sola cada {time}.",
  reloadsStop: "Detener la recarga",
  reloadsOff: "Esta página no se actualiza sola.",
  reloadsStart: "Actualizar automáticamente",
  enteringIn: "El sitio se abre en {time}",
  entering: "Abriendo el sitio…",
  yourTurn: "Es su turno. El sitio se abrirá en unos segundos, o pulse «Entrar ahora».",
  yourTurnForm: "Es su turno. Ya puede enviar su formulario.",
  offline: "No tiene conexión. Esta página seguirá cuando vuelva a estar conectado.",
  offlineTab: "Sin conexión",
  noAnswer: "Ahora mismo no hay respuesta. Esta página sigue intentándolo.",
  placeKept: "Conserva su lugar.",
  backAgain: "Vuelve a tener conexión.",
  proof: {
    progress: "Progreso de la comprobación",
    working: "Su dispositivo está haciendo un cálculo. Tarda unos segundos, rara vez uno o dos minutos; no tiene que hacer nada.",
    done: "{percent} de la comprobación completado.",
    shown: "La comprobación ha terminado.",
    again: "Lo que mostró su navegador ya no cuenta, así que se le pide una vez más.",
    unchecked: "Ahora mismo no se puede hacer la comprobación. Esta página sigue intentándolo; no tiene que hacer nada.",
    stop: "Detener la comprobación",
    start: "Iniciar la comprobación",
    stopped: "La comprobación está detenida. Aun así, esta página prueba de vez en cuando si obtiene un lugar sin ella.",
    failed: "Este navegador no puede hacer la comprobación. Aun así, esta página prueba de vez en cuando si obtiene un lugar sin ella.",
    widget: "Esta comprobación la hace Cloudflare Turnstile.",
    widgetFailed:
      "No se pudo cargar la comprobación desde challenges.cloudflare.com. Si algo bloquea esa dirección, permítala y empiece de nuevo.",
    noScripts:
      "La comprobación necesita JavaScript. Permítalo en este sitio, o deje abierta esta página: prueba de vez en cuando si obtiene un lugar sin ella.",
  },
  formLost: "Lo que envió no llegó al sitio. Cuando entre, esta página se abrirá sin esos datos; envíelos de nuevo desde allí.",
  formKept: "Lo que envió no llegó al sitio. Mantenga abierta esta página: cuando entre, podrá enviarlo de nuevo desde aquí.",
  formSend: "Enviar de nuevo",
  formFirst: "Para entrar, abra esta página en una pestaña nueva. Cuando el sitio esté abierto allí, vuelva aquí y envíelo de nuevo.",
  formOpen: "Abrir esta página en una pestaña nueva",
  sentence: "{text}.",
};
