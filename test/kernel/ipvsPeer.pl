# Both ends of the connections of ipvsScript.test.ts.
#   serve PORT               each line of a connection is answered by the address that it was accepted at
#   ask FROM TO PORT COUNT   so many connections one after another; prints who answered, "refused" or "timeout";
#                            PATIENCE is the seconds that an answer may take: many, as a guest on a busy machine is slow
#   hold TO PORT FOLDER      one connection that stays: prints who answered, then again once FOLDER/go is there
use strict;
use warnings;
use Socket;
use IO::Handle;

my ($what, @words) = @ARGV;
my $patience = $ENV{PATIENCE} // 30;
$SIG{CHLD} = 'IGNORE';
STDOUT->autoflush(1);

if ($what eq 'serve') {
    socket(my $server, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
    setsockopt($server, SOL_SOCKET, SO_REUSEADDR, pack('i', 1));
    bind($server, sockaddr_in($words[0], INADDR_ANY)) or die "bind: $!";
    listen($server, 128) or die "listen: $!";
    while (1) {
        accept(my $peer, $server) or next;
        next if fork;
        $peer->autoflush(1);
        my (undef, $own) = sockaddr_in(getsockname($peer));
        print $peer inet_ntoa($own), "\n" while <$peer>;
        exit 0;
    }
}
if ($what eq 'ask') {
    my ($from, $to, $port, $count) = @words;
    print connection($from, $to, $port, \&question), "\n" for 1 .. $count;
}
if ($what eq 'hold') {
    my ($to, $port, $folder) = @words;
    print connection('0.0.0.0', $to, $port, sub {
        my ($socket) = @_;
        print question($socket), "\n";
        for (1 .. 600) {
            last if -e "$folder/go";
            select(undef, undef, undef, 0.1);
        }
        return question($socket);
    }), "\n";
}

sub connection {
    my ($from, $to, $port, $use) = @_;
    socket(my $socket, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
    bind($socket, sockaddr_in(0, inet_aton($from))) or die "bind $from: $!";
    my $said = eval {
        local $SIG{ALRM} = sub { die "timeout\n" };
        alarm $patience;
        connect($socket, sockaddr_in($port, inet_aton($to))) or die "refused\n";
        alarm 0;
        $socket->autoflush(1);
        $use->($socket);
    };
    alarm 0;
    chomp(my $why = $@);
    return defined $said ? $said : $why;
}

sub question {
    my ($socket) = @_;
    local $SIG{ALRM} = sub { die "timeout\n" };
    local $SIG{PIPE} = 'IGNORE';
    alarm $patience;
    print $socket "who\n";
    my $answer = <$socket>;
    alarm 0;
    chomp $answer if defined $answer;
    return $answer // 'reset';
}
