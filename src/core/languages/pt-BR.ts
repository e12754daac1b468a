/** The words of the page in Brazilian Portuguese. Pure data; what each is for: ../words.ts. */
import type { Words } from "../words";

const rejoin = "{rejoin}";

export const words: Words = {
  kinds: {
    joining: { heading: "Procurando o seu lugar", body: ["Isso leva alguns segundos. Mantenha esta página aberta."] },
    "in-app": {
      heading: "É melhor abrir esta página no seu navegador",
      body: [
        "Você está no navegador interno de outro aplicativo. Se esse aplicativo fechar a página, o seu lugar pode se perder.",
        "Copie o link e abra-o no navegador que você costuma usar. Se ficar, você receberá o seu lugar aqui em {due}.",
      ],
    },
    "joining-unreachable": {
      heading: "Não conseguimos acessar a fila agora",
      body: ["Ninguém pode entrar na fila no momento. Esta página continua tentando e dará um lugar a você assim que possível."],
    },
    "storage-full": {
      heading: "A fila não pode receber ninguém",
      body: ["Se você tem um lugar, ele continua seu. Volte mais tarde; esta página também continua tentando."],
    },
    waiting: { heading: "Você está na fila", body: [] },
    next: { heading: "Você é a próxima pessoa", body: ["Você entra assim que houver espaço. Permaneça nesta página."] },
    nearly: { heading: "Falta pouco", body: ["Permaneça nesta página e deixe os seus dados à mão."] },
    slow: { heading: "Você está na fila", tab: "Mais devagar que o esperado", body: ["A fila está andando mais devagar que o esperado."] },
    "not-moving": { heading: "A fila não está andando", body: ["Ninguém está entrando no momento. O seu lugar está guardado."] },
    restarted: { heading: "A sala de espera foi reiniciada", body: ["A fila recomeçou, e você tem um novo lugar nela."] },
    unreachable: {
      heading: "Não conseguimos acessar a fila agora",
      body: ["O seu lugar está guardado. Esta página continua tentando; você não precisa fazer nada."],
    },
    paused: { heading: "A fila está pausada", body: ["Por enquanto, ninguém está entrando. O seu lugar está guardado."] },
    called: {
      heading: "Chegou a sua vez",
      tab: "● Sua vez",
      body: ["Você já pode entrar.", "A sua vez dura mais {valid}. Depois disso, a próxima pessoa é chamada."],
    },
    moment: {
      heading: "Chegou a sua vez",
      tab: "● Entrando",
      body: ["O site abre para você em {due}. Permaneça nesta página."],
    },
    missed: {
      heading: "A sua vez passou enquanto você estava fora",
      tab: "Você é a próxima pessoa",
      body: ["Você é a próxima pessoa: entra assim que houver espaço. Permaneça nesta página.", "Esta segunda chance dura mais {valid}."],
    },
    "missed-others": {
      heading: "A sua vez passou enquanto você estava fora",
      tab: "Você está entre as próximas pessoas",
      body: [
        "Você entra entre as próximas pessoas, depois de outras que também voltaram. Permaneça nesta página.",
        "Esta segunda chance dura mais {valid}.",
      ],
    },
    "welcome-back": {
      heading: "Boas-vindas de volta",
      body: [
        "Você ficou fora por um tempo, e agora não há lugar livre. Você entra entre as próximas pessoas.",
        "Esta segunda chance dura mais {valid}.",
      ],
    },
    inside: { heading: "Acesso liberado", body: ["A sua entrada foi liberada. Você pode continuar para o site."] },
    "room-off": { heading: "Você pode entrar", body: ["Não há mais fila. O site abre para você em {due}."] },
    void: {
      heading: "Você entrou por outra janela",
      body: ["A sua visita continua lá. Se você continuar aqui, a outra janela para.", "Você pode continuar aqui {takeovers}."],
    },
    "void-final": {
      heading: "Você entrou por outra janela",
      tab: "A sua visita continua em outro lugar",
      body: ["A sua visita continua lá. Ela mudou de janela vezes demais para continuar aqui.", rejoin],
    },
    left: { heading: "Você saiu da fila", body: [`O seu lugar passou para a próxima pessoa. ${rejoin}`] },
    removed: { heading: "O seu lugar foi encerrado", body: [`Os responsáveis por este site o encerraram. ${rejoin}`] },
    flushed: {
      heading: "A fila foi esvaziada",
      body: ["Os responsáveis por este site encerraram todos os lugares. Você pode entrar na fila de novo."],
    },
    "turn-over": { heading: "A sua vez passou", body: [`A sua vez foi anunciada, e o tempo para voltar acabou. ${rejoin}`] },
    "visit-over": { heading: "A sua visita terminou", body: [`O tempo desta visita acabou. ${rejoin}`] },
    "network-changed": {
      heading: "Ainda é você?",
      body: ["A sua conexão mudou várias vezes. O seu lugar está guardado: continue aqui, e nada mais muda."],
    },
    "place-void": {
      heading: "O seu lugar está ocupado",
      body: [`Este site precisou trocar as suas chaves, e outro navegador apresentou este lugar primeiro. ${rejoin}`],
    },
    ended: { heading: "O seu lugar não vale mais", body: [`Este lugar não está mais na fila. ${rejoin}`] },
    "sold-out": { heading: "Esgotado", body: ["Ninguém mais vai entrar. Você não precisa continuar esperando."] },
    full: {
      heading: "A fila está cheia",
      body: ["Não há espaço para mais pessoas agora. Esta página continua tentando e dará um lugar a você assim que houver um."],
    },
    closed: {
      heading: "A fila não aceita novas pessoas",
      body: ["Ninguém pode entrar na fila no momento. Quem já está nela mantém o lugar. Esta página continua tentando."],
    },
    "network-limit": {
      heading: "Há pessoas demais na sua rede",
      body: [
        "Muitas pessoas da sua rede acabaram de entrar na fila. Escolas, escritórios e redes móveis costumam compartilhar um só endereço.",
        "Esta página continua tentando. Outra rede, como os dados móveis em vez do wi-fi, pode ser mais rápida.",
      ],
    },
    "network-refused": {
      heading: "Ninguém pode entrar na fila por esta rede",
      body: [
        "Os responsáveis por este site não aceitam ninguém na fila pela rede que você usa. Outra rede pode funcionar, como os dados móveis.",
      ],
    },
    challenge: {
      heading: "Antes, uma breve verificação",
      body: [
        "Muitas pessoas novas estão chegando agora. Antes de você receber um lugar, o seu navegador mostra que não é um entre milhares operados por um robô.",
      ],
    },
    "cookies-needed": {
      heading: "Permita os cookies",
      body: [
        "Guardamos o seu lugar em um cookie. Sem ele, não temos como saber quando é a sua vez.",
        "Permita os cookies deste site nas configurações do navegador e tente de novo.",
      ],
    },
    lobby: {
      heading: "Você está no saguão",
      body: [
        "Início: {starts}.",
        "No local do evento, isso é {startsThere}.",
        "A sua inscrição já está contada; você não precisa fazer nada.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    "lobby-line": {
      heading: "Você está na fila, e ainda não começou",
      body: ["Início: {starts}.", "No local do evento, isso é {startsThere}.", "O seu lugar está guardado."],
    },
    delayed: {
      heading: "Começa mais tarde que o previsto",
      body: [
        "Estava previsto: {planned}. Novo início: {starts}.",
        "No local do evento, isso é {startsThere}.",
        "A sua inscrição já está contada; você não precisa fazer nada.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    drawing: { heading: "Sorteando os lugares…", body: ["{entered}", "Isso leva alguns segundos. Mantenha esta página aberta."] },
    "awaiting-number": {
      heading: "Aguardando o número aleatório público",
      tab: "Sorteando os lugares…",
      body: [
        "{entered}",
        "A ordem resulta de um número aleatório público que ninguém conhece ainda. Estamos esperando por ele.",
        "Em geral, ele chega em menos de meio minuto. Se demorar demais, os lugares são sorteados sem ele, e o registro do sorteio informa isso.",
        "Mantenha esta página aberta.",
      ],
    },
    dealing: {
      heading: "Distribuindo os lugares…",
      body: [
        "Todos os que chegaram no mesmo breve intervalo recebem entre si um lugar aleatório. Ser um pouco mais rápido não traz vantagem.",
        "Mantenha esta página aberta.",
      ],
    },
    cancelled: { heading: "Isto foi cancelado", body: ["Os responsáveis por este site fizeram o cancelamento."] },
    "cancelled-line": {
      heading: "Isto foi cancelado",
      body: ["Os responsáveis por este site fizeram o cancelamento. Você mantém o seu lugar na fila comum."],
    },
    "outside-events": { heading: "Não está aberto agora", body: ["Abertura: {opens}.", "Ninguém entra antes da abertura."] },
    rejected: {
      heading: "Ninguém está entrando no momento",
      body: ["Também não há fila em que entrar. Volte mais tarde."],
    },
    "left-lobby": {
      heading: "Você saiu do saguão",
      body: ["A sua inscrição continua contada, e o lugar dela fica sem uso. Se você voltar antes do início, receberá outra inscrição."],
    },
    "invitation-needed": {
      heading: "Você precisa de um convite",
      body: [
        "Só quem tem um convite pode entrar nesta fila. Abra o link do seu convite neste navegador.",
        "Se você acabou de fazer isso, permita os cookies deste site e abra o link de novo.",
      ],
    },
    "invitation-bad": {
      heading: "Não é possível ler este convite",
      body: [
        "O link pode ter sido cortado ou alterado no caminho. Abra-o de novo na mensagem em que veio, ou copie-o por inteiro.",
        "Se isso não ajudar, peça um novo a quem o enviou.",
      ],
    },
    "invitation-expired": {
      heading: "Este convite expirou",
      body: ["O prazo para usá-lo terminou. Peça um novo a quem o enviou."],
    },
    "invitation-other-room": {
      heading: "Este convite é para outra coisa",
      body: ["Ele não dá acesso a esta fila. Procure o convite desta fila ou pergunte a quem o enviou."],
    },
    "invitation-used": {
      heading: "Este convite já foi usado",
      body: [
        "Todos os lugares que ele dá estão ocupados. Se um deles é seu, continue no navegador em que você o abriu primeiro.",
        "Caso contrário, peça um novo a quem o enviou.",
      ],
    },
    "identity-needed": {
      heading: "Faça login primeiro",
      body: ["Só quem fez login pode entrar nesta fila. Faça login, volte a esta página e tente de novo."],
    },
    "identity-bad": {
      heading: "Faça login de novo",
      body: ["O seu login não vale aqui. Saia da conta, faça login de novo, volte a esta página e tente mais uma vez."],
    },
    "identity-expired": {
      heading: "O seu login expirou",
      body: ["O tempo do seu login acabou. Faça login de novo, volte a esta página e tente mais uma vez."],
    },
    "identity-unchecked": {
      heading: "Não conseguimos verificar o seu login agora",
      body: ["Você não precisa fazer nada: esta página continua tentando e dará um lugar a você assim que possível."],
    },
  },
  ahead: { one: "pessoa à sua frente", many: "de pessoas à sua frente", other: "pessoas à sua frente" },
  aheadReturning: {
    one: "outra pessoa que voltou está à sua frente",
    many: "de outras pessoas que voltaram estão à sua frente",
    other: "outras pessoas que voltaram estão à sua frente",
  },
  aheadTab: { other: "{n} à sua frente" },
  aheadSentence: {
    one: "{n} pessoa está à sua frente.",
    many: "{n} de pessoas estão à sua frente.",
    other: "{n} pessoas estão à sua frente.",
  },
  takesIn: "Quando chegar a sua vez, esta página leva você para dentro.",
  returners: {
    one: "{n} pessoa que perdeu a vez voltou e entra nesse meio-tempo.",
    many: "{n} de pessoas que perderam a vez voltaram e entram nesse meio-tempo.",
    other: "{n} pessoas que perderam a vez voltaram e entram nesse meio-tempo.",
  },
  wait: "Espera estimada: {wait}",
  waitAt: "Espera estimada: {wait} (por volta de {clock})",
  rose: "A fila ficou mais lenta, por isso a estimativa é maior que antes.",
  waitUnknown: "Ainda não conseguimos estimar a espera.",
  about: "cerca de {time}",
  lessThan: "menos de {time}",
  moreThan: "mais de {time}",
  range: "de {from} a {to}",
  takeovers: { one: "mais {n} vez", many: "mais {n} de vezes", other: "mais {n} vezes" },
  way: "O seu caminho na fila",
  message: "Mensagem do site",
  messageAt: "Publicada: {time}",
  startsIn: "Começa em {time}",
  startsNow: "Está começando. O seu lugar aparece em um instante.",
  entered: { one: "{n} pessoa está inscrita.", many: "{n} de pessoas estão inscritas.", other: "{n} pessoas estão inscritas." },
  randomPlace: "Todas as pessoas inscritas até lá recebem um lugar aleatório. Com o saguão aberto, chegar mais cedo não traz vantagem.",
  sealed: "O sorteio foi lacrado antes de qualquer inscrição ({commitment}).",
  beaconRule:
    "Ele também precisa de um número aleatório público que só surge depois do início, de modo que ninguém pode conhecer a ordem antes.",
  beaconNone: "Ele não usa um número aleatório público: quem administra esta sala poderia ter conhecido a ordem antes.",
  calendar: "Adicionar ao calendário",
  calendarTurn: "{title}: a sua vez, não antes deste horário",
  howDrawn: "Como funciona o sorteio",
  checkDraw: "Como o seu lugar foi sorteado",
  placeTitle: "O seu lugar",
  placeNotes: [
    "O seu lugar fica guardado neste navegador; ele se perde se você apagar os cookies ou fechar uma janela anônima.",
    "Se você fechar esta página, o seu lugar continua guardado. Se estiver fora quando chegar a sua vez, você terá pelo menos 10 minutos para voltar e entrar entre as próximas pessoas.",
    "Entrar não significa que o que você procura ainda esteja disponível.",
  ],
  reference: "Código de referência para o suporte: {code}",
  rejoin: "Se entrar na fila de novo, você começa no fim.",
  rejoinLobby: "Ainda não começou: se entrar de novo, você participa como qualquer pessoa que chega agora.",
  leave: "Sair da fila",
  leaveConsequence: "O seu lugar passa para a próxima pessoa. Se voltar mais tarde, você começa no fim da fila.",
  leaveLobby: "A sua inscrição continua contada, mas ninguém usa o lugar dela. Se você voltar antes do início, receberá outra inscrição.",
  leaveConfirm: "Sim, abrir mão do meu lugar",
  enter: "Entrar agora",
  join: "Entrar na fila de novo",
  stay: "Ficar aqui",
  copyLink: "Copiar link",
  copied: "Copiado",
  continueHere: "Continuar aqui",
  tryAgain: "Tentar de novo",
  logIn: "Fazer login",
  invitation: "O seu convite: o link ou o código longo que há nele",
  useInvitation: "Usar este convite",
  check: "Verificar agora",
  language: "Idioma",
  updated: "Última atualização {time}",
  updatesItself: "Esta página se atualiza sozinha.",
  pauseUpdates: "Pausar atualizações",
  showUpdates: "Mostrar atualizações",
  updatesPaused: "As atualizações estão pausadas. O seu lugar está guardado, e esta página ainda avisa quando chegar a sua vez.",
  reloadsItself: "Esta página é recarregada a cada {time}.",
  reloadsStop: "Parar de recarregar",
  reloadsOff: "Esta página não se atualiza sozinha.",
  reloadsStart: "Atualizar sozinha",
  enteringIn: "O site abre em {time}",
  entering: "Abrindo o site…",
  yourTurn: "Chegou a sua vez. O site abre em alguns segundos, ou pressione “Entrar agora”.",
  yourTurnForm: "Chegou a sua vez. Você já pode enviar o seu formulário.",
  stayOn: "Ficar nesta página",
  staying: "Chegou a sua vez. Esta página não entra mais sozinha.",
  turnEnds: "Tempo para entrar: {time}",
  moreTime: "Preciso de mais tempo",
  alerts: {
    me: "Avisar quando for a minha vez",
    sound: "Tocar um som",
    vibrate: "Vibrar",
    notification: "Mostrar uma notificação",
    screen: "Manter a tela ligada",
    refused: "O seu navegador não permite isso.",
  },
  offline: "Você está sem conexão. Esta página continua quando a conexão voltar.",
  offlineTab: "Sem conexão",
  noAnswer: "Sem resposta no momento. Esta página continua tentando.",
  placeKept: "O seu lugar está guardado.",
  backAgain: "A conexão voltou.",
  proof: {
    progress: "Progresso da verificação",
    working:
      "O seu dispositivo está fazendo um cálculo. Isso leva alguns segundos, raramente um ou dois minutos; você não precisa fazer nada.",
    done: "{percent} da verificação concluídos.",
    shown: "A verificação terminou.",
    again: "O que o seu navegador mostrou não vale mais, por isso a verificação é pedida outra vez.",
    unchecked: "Não conseguimos fazer a verificação agora. Esta página continua tentando; você não precisa fazer nada.",
    stop: "Parar a verificação",
    start: "Iniciar a verificação",
    stopped: "A verificação está parada. De vez em quando, esta página ainda tenta conseguir um lugar para você sem ela.",
    failed:
      "Este navegador não consegue fazer a verificação. De vez em quando, esta página ainda tenta conseguir um lugar para você sem ela.",
    widget: "Esta verificação é feita pelo Cloudflare Turnstile.",
    widgetFailed:
      "Não foi possível carregar a verificação de challenges.cloudflare.com. Se algo bloqueia esse endereço, permita-o e comece de novo.",
    noScripts:
      "A verificação precisa de JavaScript. Permita-o para este site ou deixe esta página aberta: de vez em quando, ela tenta conseguir um lugar para você sem a verificação.",
  },
  formLost: "O que você enviou não chegou ao site. Depois da sua entrada, esta página se abre sem esses dados; envie-os de novo por lá.",
  formKept: "O que você enviou não chegou ao site. Mantenha esta página aberta: depois da sua entrada, você pode enviar de novo por aqui.",
  formSend: "Enviar de novo",
  formFirst: "Para entrar, abra esta página em uma nova aba. Quando o site estiver aberto lá, volte aqui e envie de novo.",
  formOpen: "Abrir esta página em uma nova aba",
  sentence: "{text}.",
};
