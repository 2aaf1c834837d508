#!/usr/bin/perl
# The lab's agents: one runs in every network namespace, keeps it alive, serves echo ports, sends probes and runs commands.
#
# Perl, because perl-base is on every Debian system, and one process can wait for a thousand sockets. Only modules of
# perl-base are used. To start Perl and to compile this takes longer than all that an agent of a small lab does, so the
# first process forks the agents; it is in no namespace of its own. When its standard input ends it ends, and they do, each
# with its namespace.
#
# Requests to it, one a line, words parted by blanks:
#   open NUMBER SETTING...      an agent in a new namespace, where the settings (`net/ipv4/ip_forward=1`) are written before
#                               anything else is there, and `lo` is up: `NUMBER ok PROCESS`, or `NUMBER failed WORDS`
#   to NUMBER REQUEST           gives an agent a request
#   close NUMBER                ends an agent
# `NUMBER ended` tells of an agent that it has ended, whyever.
# Requests to an agent; `-` stands for "none":
#   ID listen tcp|udp|sctp ADDRESS|- PORT NAME           ADDRESS of no family `-`: both families' wildcard
#   ID probe tcp|udp|sctp|icmp FROM|- FROMPORT|- TO PORT MILLISECONDS HOLD(0|1)
#   ID release                                       closes connections that probes hold open
#   ID settle                                        waits until every device that is up can send
#   ID run WORDS INPUT                               runs a command; both as hexadecimal digits, words with NUL between
# Answers, in any order:
#   ID ok | ID failed WORDS
#   ID answered NAME SOURCE SOURCEPORT | ID refused | ID timeout | ID unreachable
#   ID out DIGITS | ID err DIGITS        parts of what a command has said, before
#   ID ran STATUS                        255: a signal has ended it
# All agents write to one output. No line is longer than what a pipe takes in one piece.
use strict;
use warnings;
use Errno qw(EINTR ENOBUFS EINVAL EINPROGRESS EAGAIN ECONNREFUSED ECONNRESET ENOPROTOOPT EPROTO EHOSTUNREACH ENETUNREACH EACCES EPERM);
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use POSIX ();
use Socket qw(:DEFAULT inet_pton inet_ntop pack_sockaddr_in6 unpack_sockaddr_in6 IPPROTO_IPV6 IPV6_V6ONLY IPPROTO_TCP IPPROTO_UDP);

$SIG{PIPE} = 'IGNORE';

use constant { IPPROTO_SCTP => 132, IPPROTO_ICMPV6 => 58, MOST_AT_ONCE => 128, SO_RCVBUFFORCE => 33, CLONE_NEWNET => 0x40000000 };

my $ticks = POSIX::sysconf(POSIX::_SC_CLK_TCK());
my %watched;    # file number => { socket, read, write }
my ($readable, $writable) = ("\1", "\0");    # of those, as select(2) takes them; standard input is always among them
my %probes;     # id => probe in flight
my $nearest;    # no deadline of a probe is before this
my %raw_probes; # those that wait for an SCTP packet: "PORT ADDRESS PORT" => probe
my @waiting;    # probes that wait for their turn
my @held;       # sockets kept open until `release`
my @settling;   # requests to wait for devices: id and deadline
my $changes;    # while there are any: a socket that hears of devices
my @leaving;    # commands that have closed their output and have not ended
my $out = '';

sub now { return (POSIX::times())[0] / $ticks }

sub answer { $out .= join(' ', @_) . "\n"; return }

# What several processes write to a pipe stays apart where each writes whole lines, and few.
use constant ONE_PIECE => 4096;

sub flush_answers {
  while (length $out) {
    my $length = length $out > ONE_PIECE ? 1 + rindex $out, "\n", ONE_PIECE - 1 : length $out;
    write_all(\*STDOUT, substr $out, 0, $length || length $out, '') or POSIX::_exit(1);
  }
  return;
}

sub write_all {
  my ($to, $bytes) = @_;
  while (length $bytes) {
    my $written = syswrite $to, $bytes;
    if (defined $written) { substr $bytes, 0, $written, '' } elsif (!$!{EINTR}) { return 0 }
  }
  return 1;
}

# Reads what there is and handles its whole lines; the end of the input ends the process.
sub read_requests {
  my ($in, $handle) = @_;
  my $from = length $$in;
  my $read = sysread STDIN, $$in, 65536, $from;
  return if !defined $read && $!{EINTR};
  # Perl would tidy up what belongs to nobody any more, and would copy the pages that agents share for it.
  POSIX::_exit(0) if !$read;
  while ((my $end = index $$in, "\n", $from) >= 0) {
    my $line = substr $$in, 0, $end + 1, '';
    chomp $line;
    $handle->($line);
    $from = 0;
  }
  return;
}

# --- sockets -----------------------------------------------------------------

sub family_of { return $_[0] =~ /:/ ? AF_INET6 : AF_INET }

sub address {
  my ($ip, $port) = @_;
  my $binary = inet_pton(family_of($ip), $ip) // die "bad address $ip\n";
  return family_of($ip) == AF_INET6 ? pack_sockaddr_in6($port, $binary) : pack_sockaddr_in($port, $binary);
}

sub ip_and_port {
  my ($packed) = @_;
  if (sockaddr_family($packed) == AF_INET6) {
    my ($port, $ip) = unpack_sockaddr_in6($packed);
    return (inet_ntop(AF_INET6, $ip), $port);
  }
  my ($port, $ip) = unpack_sockaddr_in($packed);
  return (inet_ntop(AF_INET, $ip), $port);
}

sub set_nonblocking { my ($file) = @_; fcntl($file, F_SETFL, fcntl($file, F_GETFL, 0) | O_NONBLOCK); return }

sub open_socket {
  my ($family, $type, $protocol) = @_;
  socket(my $socket, $family, $type, $protocol) or return;
  set_nonblocking($socket);
  # A wildcard of one family must not take the other's port.
  setsockopt($socket, IPPROTO_IPV6, IPV6_V6ONLY, 1) if $family == AF_INET6;
  # Packets of many clients at once must fit; where the kernel does not let us, its usual 200 kB do.
  setsockopt($socket, SOL_SOCKET, SO_RCVBUFFORCE, 4 << 20) if $type != SOCK_STREAM;
  return $socket;
}

my %stream = (tcp => IPPROTO_TCP, sctp => IPPROTO_SCTP);

sub watch {
  my ($socket, %on) = @_;
  my $number = fileno $socket;
  $watched{$number} = { socket => $socket, %on };
  vec($readable, $number, 1) = $on{read} ? 1 : 0;
  vec($writable, $number, 1) = $on{read} ? 0 : 1;
  return;
}

sub forget {
  my ($socket) = @_;
  my $number = fileno $socket;
  delete $watched{$number};
  vec($readable, $number, 1) = vec($writable, $number, 1) = 0;
  return;
}

# --- devices -----------------------------------------------------------------

# Linux drops what is sent through a device between the moment when its wire is whole and its own next look at it (RFC 2863's
# operational state, which a workqueue sets). A lost datagram would pass for one that a rule dropped.
sub settle {
  # The kernel tells of changes to devices (RTMGRP_LINK) from before they are looked at.
  $changes //= watch_devices();
  my $now = now();
  my @down = devices_down();
  my @waits = splice @settling;
  for my $wait (@waits) {
    if (!@down) {
      answer($wait->{id}, 'ok');
    } elsif ($now > $wait->{deadline}) {
      answer($wait->{id}, 'failed', "not up: @down");
    } else {
      push @settling, $wait;
    }
  }
  return if @settling;
  forget($changes);
  close $changes;
  undef $changes;
  return;
}

sub watch_devices {
  socket(my $netlink, 16, SOCK_RAW, 0) or die "netlink: $!\n";
  bind($netlink, pack 'S S L L', 16, 0, 0, 1) or die "netlink: $!\n";
  set_nonblocking($netlink);
  watch($netlink, read => sub {
    # What was told matters less than that something was, even too much to tell all of it (ENOBUFS).
    while (1) { last if !defined recv($netlink, my $message, 1 << 16, 0) && !$!{ENOBUFS} }
    settle_all();
  });
  return $netlink;
}

sub settle_all {
  eval { settle(); 1 } and return;
  answer($_->{id}, 'failed', $@ =~ s/\s+/ /gr) for splice @settling;
  return;
}

# Names of the Ethernet devices that were set up but are not operational, asked by rtnetlink (RTM_GETLINK).
sub devices_down {
  socket(my $netlink, 16, SOCK_RAW, 0) or die "netlink: $!\n";
  send($netlink, pack('L S S L L x16', 32, 18, 0x301, 1, 0), 0) // die "netlink: $!\n";
  my @down;
  while (defined recv($netlink, my $messages, 1 << 16, 0)) {
    while (length $messages >= 16) {
      my ($length, $kind) = unpack 'L S', $messages;
      return @down if $kind == 3;    # NLMSG_DONE
      die "netlink: error\n" if $kind == 2 || $length < 16;
      my $message = substr $messages, 0, ($length + 3) & ~3, '';
      my ($hardware, $flags) = unpack 'x18 S x4 L', $message;
      next if $hardware != 1 || !($flags & 1);    # ARPHRD_ETHER, IFF_UP
      my %attributes = attributes(substr $message, 32);
      push @down, unpack 'Z*', $attributes{3} if ord $attributes{16} != 6;    # IFLA_IFNAME, IFLA_OPERSTATE, IF_OPER_UP
    }
  }
  die "netlink: $!\n";
}

sub attributes {
  my ($packed) = @_;
  my %values;
  while (length $packed >= 4) {
    my ($length, $kind) = unpack 'S S', $packed;
    last if $length < 4;
    $values{$kind} = substr substr($packed, 0, ($length + 3) & ~3, ''), 4, $length - 4;
  }
  return %values;
}

# --- servers -----------------------------------------------------------------

sub listen_on {
  my ($protocol, $ip, $port, $name) = @_;
  return listen_raw_sctp($ip, $port, $name) if $protocol eq 'sctp' && !kernel_has_sctp();
  for my $at ($ip eq '-' ? ('0.0.0.0', '::') : $ip) {
    my $type = $protocol eq 'udp' ? SOCK_DGRAM : SOCK_STREAM;
    my $socket = open_socket(family_of($at), $type, $stream{$protocol} // IPPROTO_UDP) or die "socket: $!\n";
    setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1);
    bind($socket, address($at, $port)) or die "bind $at $port: $!\n";
    if ($protocol eq 'udp') {
      watch($socket, read => sub { answer_datagrams($socket, $name) });
    } else {
      listen($socket, 1024) or die "listen $at $port: $!\n";
      watch($socket, read => sub { accept_all($socket, $name) });
    }
  }
  return;
}

sub accept_all {
  my ($socket, $name) = @_;
  while (my $peer = accept(my $connection, $socket)) {
    fcntl($connection, F_SETFL, O_NONBLOCK);
    syswrite($connection, join(' ', $name, ip_and_port($peer)) . "\n");
    # The client closes first, so that TIME_WAIT and the port stay on its side.
    watch($connection, read => sub {
      my $read = sysread($connection, my $buffer, 4096);
      return if !defined $read && $!{EAGAIN};
      return if $read;
      forget($connection);
      close $connection;
    });
  }
  return;
}

sub answer_datagrams {
  my ($socket, $name) = @_;
  while (my $peer = recv($socket, my $buffer, 2048, 0)) {
    send($socket, join(' ', $name, ip_and_port($peer)) . "\n", 0, $peer);
  }
  return;
}

# --- probes ------------------------------------------------------------------

sub finish {
  my ($probe, @outcome) = @_;
  delete $probes{ $probe->{id} } or return;
  delete $raw_probes{ $probe->{raw_key} } if $probe->{raw_key};
  answer($probe->{id}, @outcome);
  my $socket = $probe->{socket} or return;
  forget($socket);
  if ($probe->{hold}) { push @held, $socket } else { close $socket }
  return;
}

sub finish_with_error {
  my ($probe) = @_;
  my $error = $! + 0;
  return finish($probe, 'refused') if grep { $error == $_ } ECONNREFUSED, ECONNRESET, ENOPROTOOPT, EPROTO;
  return finish($probe, 'unreachable') if grep { $error == $_ } EHOSTUNREACH, ENETUNREACH, EACCES;
  # A DROP in OUTPUT is told to senders of echo requests; other hosts would just not hear from us. Nor would they where
  # rules leave a packet without a route (EINVAL).
  return finish($probe, 'timeout') if $error == EPERM || $error == EINVAL;
  return finish($probe, 'failed', "$!");
}

sub start {
  my ($probe) = @_;
  $probes{ $probe->{id} } = $probe;
  $probe->{deadline} = now() + $probe->{milliseconds} / 1000;
  $nearest = $probe->{deadline} if !defined $nearest || $probe->{deadline} < $nearest;
  my $family = family_of($probe->{to});
  return start_echo($probe, $family) if $probe->{protocol} eq 'icmp';
  return start_raw_sctp($probe, $family) if $probe->{protocol} eq 'sctp' && !kernel_has_sctp();

  my $is_udp = $probe->{protocol} eq 'udp';
  my $socket = open_socket($family, $is_udp ? SOCK_DGRAM : SOCK_STREAM, $stream{ $probe->{protocol} } // IPPROTO_UDP)
    or return finish_with_error($probe);
  $probe->{socket} = $socket;
  if ($probe->{from} ne '-' || $probe->{from_port} ne '-') {
    setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1);
    my $ip = $probe->{from} ne '-' ? $probe->{from} : $family == AF_INET6 ? '::' : '0.0.0.0';
    bind($socket, address($ip, $probe->{from_port} ne '-' ? $probe->{from_port} : 0)) or return finish_with_error($probe);
  }
  # Linux keeps ICMP errors from an SCTP socket that does not ask for them (IP_RECVERR, IPV6_RECVERR).
  if ($probe->{protocol} eq 'sctp') {
    if ($family == AF_INET6) { setsockopt($socket, IPPROTO_IPV6, 25, 1) } else { setsockopt($socket, 0, 11, 1) }
  }
  my $is_connected = connect($socket, address($probe->{to}, $probe->{port}));
  return finish_with_error($probe) if !$is_connected && !$!{EINPROGRESS};
  if ($is_udp) {
    # A packet that the sender's own OUTPUT chain rejects is an error at once, and then an ICMP error, which says more.
    defined send($socket, "?\n", 0) or $!{EPERM} or return finish_with_error($probe);
    return watch($socket, read => sub { read_answer($probe) });
  }
  return watch($socket, write => sub {
    my $error = unpack 'i', getsockopt($socket, SOL_SOCKET, SO_ERROR);
    if ($error) { $! = $error; return finish_with_error($probe) }
    return watch($socket, read => sub { read_answer($probe) });
  });
}

sub read_answer {
  my ($probe) = @_;
  my $read = sysread($probe->{socket}, my $buffer, 2048);
  return $!{EAGAIN} ? undef : finish_with_error($probe) if !defined $read;
  return finish($probe, 'failed', 'closed without an answer') if !$read;
  $probe->{text} .= $buffer;
  return finish($probe, 'answered', $1) if $probe->{text} =~ /^([^\n]*)\n/;
  return;
}

# --- ICMP --------------------------------------------------------------------

my $next_echo;

# An echo request; every host answers those. Its identifier tells the answers of probes apart.
sub start_echo {
  my ($probe, $family) = @_;
  my $is_ipv6 = $family == AF_INET6;
  my $socket = open_socket($family, SOCK_RAW, $is_ipv6 ? IPPROTO_ICMPV6 : 1) or return finish_with_error($probe);
  $probe->{socket} = $socket;
  if ($probe->{from} ne '-') { bind($socket, address($probe->{from}, 0)) or return finish_with_error($probe) }
  my $id = $next_echo = ($next_echo + 1) & 0xffff;
  my @head = ($is_ipv6 ? 128 : 8, 0);
  # The kernel computes the checksum of ICMPv6 itself.
  my $sum = $head[0] * 256 + $id + 1;
  $sum = ($sum & 0xffff) + ($sum >> 16) while $sum >> 16;
  my $echo = pack 'C C n n n', @head, $is_ipv6 ? 0 : ~$sum & 0xffff, $id, 1;
  defined send($socket, $echo, 0, address($probe->{to}, 0)) or return finish_with_error($probe);
  return watch($socket, read => sub {
    while (my $peer = recv($socket, my $packet, 2048, 0)) {
      $packet = substr $packet, 4 * (ord($packet) & 15) if !$is_ipv6;
      next if length $packet < 8;
      my ($type, undef, undef, $seen) = unpack 'C C n n', $packet;
      return finish($probe, 'answered', 'echo', '-', 0) if $type == ($is_ipv6 ? 129 : 0) && $seen == $id;
      next if $type != ($is_ipv6 ? 1 : 3);
      my $inner = substr $packet, 8;
      $inner = substr $inner, $is_ipv6 ? 40 : 4 * (ord($inner) & 15);
      next if length $inner < 6 || unpack('x4 n', $inner) != $id;
      return finish($probe, unpack('x C', $packet) == ($is_ipv6 ? 4 : 3) ? 'refused' : 'unreachable');
    }
  });
}

# --- SCTP without a kernel that has it ---------------------------------------
# Connection tracking and NAT know SCTP even where no SCTP socket can be opened. There a raw socket speaks as much of
# RFC 9260 as a probe needs: INIT, and INIT ACK with the answer in the place of the state cookie; ABORT: nobody listens.

my ($has_sctp, %raw_sockets, %raw_servers);
my $next_raw_port;

sub kernel_has_sctp {
  if (!defined $has_sctp) {
    my $socket = open_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP);
    $has_sctp = $socket ? 1 : 0;
  }
  return $has_sctp;
}

# A socket for SCTP packets, and one that hears of ICMP errors; those bound to an address are apart.
sub raw_socket {
  my ($family, $from) = @_;
  return $raw_sockets{"$family $from"} //= do {
    my $socket = open_socket($family, SOCK_RAW, IPPROTO_SCTP) or die "raw socket: $!\n";
    if ($from ne '-') { bind($socket, address($from, 0)) or die "bind $from: $!\n" }
    my $serves = $from eq '-';
    watch($socket, read => sub { read_raw_sctp($socket, $family, $serves) });
    if ($serves) {
      my $icmp = open_socket($family, SOCK_RAW, $family == AF_INET6 ? IPPROTO_ICMPV6 : 1) or die "ICMP socket: $!\n";
      watch($icmp, read => sub { read_icmp($icmp, $family) });
    }
    $socket;
  };
}

sub listen_raw_sctp {
  my ($ip, $port, $name) = @_;
  raw_socket($_, '-') for $ip eq '-' ? (AF_INET, AF_INET6) : family_of($ip);
  $raw_servers{$port} = $name;
  return;
}

sub start_raw_sctp {
  my ($probe, $family) = @_;
  raw_socket($family, '-');
  my $socket = raw_socket($family, $probe->{from});
  $next_raw_port = $next_raw_port >= 60999 ? 32768 : $next_raw_port + 1;
  my $from_port = $probe->{from_port} ne '-' ? $probe->{from_port} : $next_raw_port;
  my $to = inet_ntop($family, inet_pton($family, $probe->{to}));
  $probe->{raw_key} = "$from_port $to $probe->{port}";
  $probe->{tag} = 1 + int rand 0xfffffffe;
  $raw_probes{ $probe->{raw_key} } = $probe;
  my $init = pack 'CCn N N n n N', 1, 0, 20, $probe->{tag}, 65536, 1, 1, 1;
  defined send($socket, sctp_packet($from_port, $probe->{port}, 0, $init), 0, address($to, 0))
    or $!{EPERM}
    or return finish_with_error($probe);
  return;
}

sub read_raw_sctp {
  my ($socket, $family, $serves) = @_;
  while (my $peer = recv($socket, my $packet, 2048, 0)) {
    # IPv4 raw sockets give the IP header too.
    $packet = substr $packet, 4 * (ord($packet) & 15) if $family == AF_INET;
    next if length $packet < 16;
    my ($from_port, $to_port, $tag, undef, $type, undef, $length) = unpack 'n n N N C C n', $packet;
    my ($ip) = ip_and_port($peer);
    if ($type == 1) {
      next if !$serves || length $packet < 32;
      my $peer_tag = unpack 'N', substr $packet, 16, 4;
      my $name = $raw_servers{$to_port};
      my $chunk = pack 'CCn', 6, 0, 4;
      if (defined $name) {
        my $text = "$name $ip $from_port\n";
        my $cookie = pack('n n', 7, 4 + length $text) . $text;
        $chunk = pack('CCn N N n n N', 2, 0, 20 + length $cookie, 1 + int rand 0xfffffffe, 65536, 1, 1, 1) . $cookie;
        $chunk .= "\0" x (-length($chunk) % 4);
      }
      send($socket, sctp_packet($to_port, $from_port, $peer_tag, $chunk), 0, $peer);
      next;
    }
    my $probe = $raw_probes{"$to_port $ip $from_port"} or next;
    next if $tag != $probe->{tag};
    if ($type == 6) {
      finish($probe, 'refused');
    } elsif ($type == 2 && $length > 24) {
      finish($probe, 'answered', substr($packet, 36, $length - 24) =~ /^([^\n]*)/);
    }
  }
  return;
}

# Destination unreachable, with the head of the packet that met it.
sub read_icmp {
  my ($icmp, $family) = @_;
  while (defined recv($icmp, my $packet, 2048, 0)) {
    my ($type, $code, $to, $inner);
    if ($family == AF_INET) {
      $packet = substr $packet, 4 * (ord($packet) & 15);
      next if length $packet < 8 + 20 + 8;
      ($type, $code) = unpack 'C C', $packet;
      $inner = substr $packet, 8;
      next if $type != 3 || ord(substr $inner, 9, 1) != IPPROTO_SCTP;
      $to = inet_ntop(AF_INET, substr $inner, 16, 4);
      $inner = substr $inner, 4 * (ord($inner) & 15);
    } else {
      next if length $packet < 8 + 40 + 8;
      ($type, $code) = unpack 'C C', $packet;
      $inner = substr $packet, 8;
      # 4/1: unknown next header, what a host without SCTP says.
      next if ($type != 1 && $type != 4) || ord(substr $inner, 6, 1) != IPPROTO_SCTP;
      $to = inet_ntop(AF_INET6, substr $inner, 24, 16);
      $inner = substr $inner, 40;
      $code = 4 if $type == 4;
    }
    next if length $inner < 4;
    my ($from_port, $to_port) = unpack 'n n', $inner;
    my $probe = $raw_probes{"$from_port $to $to_port"} or next;
    # IPv4: 2 no such protocol, 3 no such port. IPv6: 4 no such port.
    my $refuses = $family == AF_INET ? $code == 2 || $code == 3 : $code == 4;
    finish($probe, $refuses ? 'refused' : 'unreachable');
  }
  return;
}

my @crc_table = map {
  my $crc = $_;
  $crc = $crc & 1 ? ($crc >> 1) ^ 0x82f63b78 : $crc >> 1 for 1 .. 8;
  $crc;
} 0 .. 255;

sub sctp_packet {
  my ($from_port, $to_port, $tag, $chunk) = @_;
  my $crc = 0xffffffff;
  $crc = ($crc >> 8) ^ $crc_table[($crc ^ $_) & 255] for unpack 'C*', pack('n n N N', $from_port, $to_port, $tag, 0) . $chunk;
  return pack('n n N V', $from_port, $to_port, $tag, $crc ^ 0xffffffff) . $chunk;
}

# --- commands ----------------------------------------------------------------

sub run_command {
  my ($id, $words, $input) = @_;
  my @command = split /\0/, pack('H*', $words), -1;
  pipe(my $child_in, my $to) && pipe(my $from, my $child_out) && pipe(my $errors, my $child_err) or die "pipe: $!\n";
  defined(my $pid = fork) or die "fork: $!\n";
  if (!$pid) {
    $SIG{PIPE} = 'DEFAULT';
    my $number = 0;
    POSIX::dup2(fileno $_, $number++) for $child_in, $child_out, $child_err;
    no warnings 'exec';
    exec { $command[0] } @command or syswrite STDERR, "$command[0]: $!\n";
    POSIX::_exit(127);
  }
  my $run = { id => $id, pid => $pid, open => 2 };
  read_output($run, $from, 'out');
  read_output($run, $errors, 'err');
  write_input($to, pack 'H*', $input eq '-' ? '' : $input);
  return;
}

# A command may end without having read its input.
sub write_input {
  my ($to, $input) = @_;
  return close $to if !length $input;
  set_nonblocking($to);
  watch($to, write => sub {
    my $written = syswrite $to, $input;
    return if !defined $written && $!{EAGAIN};
    substr $input, 0, $written, '' if defined $written;
    return if defined $written && length $input;
    forget($to);
    close $to;
  });
  return;
}

sub read_output {
  my ($run, $from, $kind) = @_;
  set_nonblocking($from);
  watch($from, read => sub {
    my $read = sysread $from, my $bytes, 65536;
    return if !defined $read && $!{EAGAIN};
    if ($read) {
      answer($run->{id}, $kind, unpack 'H*', substr $bytes, 0, 1024, '') while length $bytes;
      return;
    }
    forget($from);
    close $from;
    push @leaving, $run if !--$run->{open};
  });
  return;
}

# Whoever has closed its output ends at once, as a rule.
sub reap {
  @leaving = grep {
    my $has_ended = waitpid $_->{pid}, POSIX::WNOHANG();
    answer($_->{id}, 'ran', $? & 127 ? 255 : $? >> 8) if $has_ended;
    !$has_ended;
  } @leaving;
  return;
}

# --- requests and the loop ---------------------------------------------------

sub handle {
  my ($line) = @_;
  my ($id, $verb, @words) = split / /, $line;
  if ($verb eq 'listen') {
    eval { listen_on(@words); 1 } ? answer($id, 'ok') : answer($id, 'failed', $@ =~ s/\s+/ /gr);
  } elsif ($verb eq 'probe') {
    my %probe = (id => $id, text => '');
    @probe{qw(protocol from from_port to port milliseconds hold)} = @words;
    push @waiting, \%probe;
  } elsif ($verb eq 'settle') {
    push @settling, { id => $id, deadline => now() + 30 };
    settle_all();
  } elsif ($verb eq 'run') {
    eval { run_command($id, @words); 1 } or answer($id, 'failed', $@ =~ s/\s+/ /gr);
  } elsif ($verb eq 'release') {
    close $_ for @held;
    @held = ();
    answer($id, 'ok');
  } else {
    answer($id, 'failed', "unknown request $verb");
  }
  return;
}

# Starting programs for this would take most of the time that a lab needs.
sub prepare_namespace {
  for my $setting (@_) {
    my ($name, $value) = split /=/, $setting, 2;
    next if !-e "/proc/sys/$name";
    open(my $file, '>', "/proc/sys/$name") or die "$name: $!\n";
    syswrite($file, "$value\n") // die "$name=$value: $!\n";
  }
  my $socket = open_socket(AF_INET, SOCK_DGRAM, 0) or die "socket: $!\n";
  # SIOCSIFFLAGS; up and running.
  my $flags = pack 'a16 s x22', 'lo', 0x41;
  ioctl($socket, 0x8914, $flags) or die "lo: $!\n";
  return;
}

# What is drawn here must differ from agent to agent.
sub serve_namespace {
  my ($number, @settings) = @_;
  srand;
  $next_echo = int rand 65536;
  $next_raw_port = 32768 + int rand 16384;
  if (!eval { enter_namespace(); prepare_namespace(@settings); 1 }) {
    answer($number, 'failed', $@ =~ s/\s+/ /gr);
    flush_answers();
    POSIX::_exit(1);
  }
  answer($number, 'ok', $$);
  my $in = '';
  run_loop(\$in) while 1;
}

# unshare(2) has no name in Perl, and a number of its own in each kind of machine.
sub enter_namespace {
  my $machine = (POSIX::uname())[4];
  my $is_64_bit = length pack('P', undef) == 8;
  my ($number) =
      $machine =~ /^(x86_64|i.86)$/ ? $is_64_bit ? 272 : 310
    : $machine =~ /^(aarch64|arm.*)$/ ? $is_64_bit ? 97 : 337
    : $machine =~ /^(riscv64|loongarch64)$/ ? 97
    : $machine =~ /^ppc64/ ? 282
    : $machine eq 's390x' ? 303
    : die "no network namespaces on a machine of kind $machine\n";
  syscall($number, CLONE_NEWNET) == 0 or die "unshare: $!\n";
  return;
}

sub run_loop {
  my ($in) = @_;
  while (@waiting && keys %probes < MOST_AT_ONCE) {
    my $probe = shift @waiting;
    eval { start($probe); 1 } or finish($probe, 'failed', $@ =~ s/\s+/ /gr);
  }
  reap() if @leaving;
  flush_answers();

  # A command that ends tells no socket of it.
  my $wait = @leaving ? 0.002 : undef;
  for my $deadline (%probes ? $nearest : (), map { $_->{deadline} } @settling) {
    my $left = $deadline - now();
    $wait = $left if !defined $wait || $left < $wait;
  }
  $wait = 0 if defined $wait && $wait < 0;
  my $ready = select(my $read = $readable, my $write = $writable, undef, $wait);
  if ($ready > 0) {
    for my $number (numbers_in($read | $write)) {
      next if $number == 0;
      my $on = $watched{$number} or next;
      if ($on->{read}) { $on->{read}->() if vec($read, $number, 1) } elsif (vec($write, $number, 1)) { $on->{write}->() }
    }
    read_requests($in, \&handle) if vec($read, 0, 1);
  }
  # Answers that have arrived are read before a deadline counts: a busy machine makes no timeouts.
  return if $ready > 0;
  end_late_probes() if %probes;
  settle_all() if @settling;
  return;
}

sub end_late_probes {
  my $now = now();
  return if $now < $nearest;
  undef $nearest;
  for my $probe (values %probes) {
    if ($probe->{deadline} <= $now) {
      finish($probe, 'timeout');
    } elsif (!defined $nearest || $probe->{deadline} < $nearest) {
      $nearest = $probe->{deadline};
    }
  }
  return;
}

# The numbers of the bits that are set.
sub numbers_in {
  my $bits = unpack 'b*', $_[0];
  my @numbers;
  for (my $at = index $bits, '1'; $at >= 0; $at = index $bits, '1', $at + 1) { push @numbers, $at }
  return @numbers;
}

# --- the first process -------------------------------------------------------

my %agents;      # number => { pid, pipe }
my %number_of;   # process id => number

sub has_ended {
  my ($pid) = @_;
  my $number = delete $number_of{$pid} // return;
  delete $agents{$number};
  answer($number, 'ended');
  flush_answers();
  return;
}

sub open_agent {
  my ($number, @settings) = @_;
  pipe(my $requests, my $to) or die "pipe: $!\n";
  defined(my $pid = fork) or die "fork: $!\n";
  if (!$pid) {
    $SIG{CHLD} = 'DEFAULT';
    POSIX::dup2(fileno $requests, 0);
    # Those that an agent holds open would never end.
    close $_->{pipe} for values %agents;
    close $to;
    serve_namespace($number, @settings);
  }
  $agents{$number} = { pid => $pid, pipe => $to };
  $number_of{$pid} = $number;
  return;
}

sub close_agent {
  my ($number) = @_;
  my $agent = $agents{$number} or return;
  close $agent->{pipe};
  while (waitpid($agent->{pid}, 0) == -1 && $!{EINTR}) { }
  has_ended($agent->{pid});
  return;
}

$SIG{CHLD} = sub {
  while ((my $pid = waitpid -1, POSIX::WNOHANG()) > 0) { has_ended($pid) }
};
my $requests = '';
while (1) {
  read_requests(\$requests, sub {
    my ($verb, $number, $rest) = split / /, $_[0], 3;
    if ($verb eq 'open') {
      eval { open_agent($number, split / /, $rest // ''); 1 } or answer($number, 'failed', $@ =~ s/\s+/ /gr);
      flush_answers();
    } elsif ($verb eq 'close') {
      close_agent($number);
    } elsif (my $agent = $agents{$number}) {
      write_all($agent->{pipe}, "$rest\n");
    }
  });
}
