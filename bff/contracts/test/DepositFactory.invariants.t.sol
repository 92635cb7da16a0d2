// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestUSDC} from "devnet/TestUSDC.sol";
import {TestUSDT} from "devnet/TestUSDT.sol";
import {DepositFactory} from "../src/DepositFactory.sol";
import {DepositForwarder} from "../src/DepositForwarder.sol";
import {Terms} from "../src/Terms.sol";
import {DepositTest, Vm} from "./DepositTest.sol";

/// @dev Everything that can happen to a few deposits, in any order. Each has wallets of its own, so that every unit can
/// be told apart. After each step it checks that the step was allowed; a check that fails fails the run.
contract DepositLife {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    uint256 public constant COUNT = 3;

    DepositFactory private immutable FACTORY;
    TestUSDC private immutable USDC;
    TestUSDT private immutable USDT;

    Terms[COUNT] private deposits;
    /// @dev What came in, what one settlement paid out, and whether there was one.
    uint256[COUNT] public received;
    uint256[COUNT] public paidOut;
    bool[COUNT] public isSettled;

    constructor(DepositFactory factory, TestUSDC usdc, TestUSDT usdt) {
        (FACTORY, USDC, USDT) = (factory, usdc, usdt);
        for (uint256 i = 0; i < COUNT; ++i) {
            deposits[i] = Terms({
                chainId: block.chainid,
                token: address(usdc),
                amount: uint128(100e6 + i),
                least: uint128(99e6 - 7 * i),
                merchant: address(uint160(0x1000 + i)),
                platform: address(uint160(0x2000 + i)),
                feeBps: uint16(333 * i),
                deadline: uint40(block.timestamp + 1 hours),
                operator: address(uint160(0x3000)),
                salt: bytes32(i)
            });
        }
    }

    function depositAt(uint256 i) external view returns (Terms memory, DepositForwarder) {
        return (deposits[i], _forwarder(i));
    }

    /// @dev Where the operator, honest or not, sends what it can get.
    function refundWallet(uint256 i) public pure returns (address) {
        return address(uint160(0x4000 + i));
    }

    function pay(uint256 i, uint256 amount) external {
        i %= COUNT;
        amount %= 130e6;
        received[i] += amount;
        USDC.mint(address(_forwarder(i)), amount);
    }

    function payTheRest(uint256 i) external {
        i %= COUNT;
        uint256 balance = USDC.balanceOf(address(_forwarder(i)));
        if (balance >= deposits[i].amount) return;
        received[i] += deposits[i].amount - balance;
        USDC.mint(address(_forwarder(i)), deposits[i].amount - balance);
    }

    function payWithWhatIsNotDue(uint256 i, uint256 amount) external {
        USDT.mint(address(_forwarder(i % COUNT)), amount % 100e6);
        vm.deal(address(_forwarder(i % COUNT)), amount % 100 ether);
    }

    function settle(uint256 i) external {
        i %= COUNT;
        uint256 balance = USDC.balanceOf(address(_forwarder(i)));
        bool isCovered = balance >= deposits[i].least;
        bool canTakeMoney = !USDC.isBlacklisted(deposits[i].merchant);
        try FACTORY.settle(deposits[i]) {
            vm.assertTrue(isCovered && !isSettled[i] && canTakeMoney, "settled what it should not");
            _noteSettlement(i, balance);
        } catch {
            vm.assertTrue(!isCovered || isSettled[i] || !canTakeMoney, "refused what it should settle");
        }
    }

    function settleAll() external {
        Terms[] memory batch = new Terms[](COUNT + 1);
        uint256[COUNT] memory balances;
        for (uint256 i = 0; i <= COUNT; ++i) {
            batch[i] = deposits[i % COUNT];
        }
        for (uint256 i = 0; i < COUNT; ++i) {
            balances[i] = USDC.balanceOf(address(_forwarder(i)));
        }
        FACTORY.settleMany(batch);
        for (uint256 i = 0; i < COUNT; ++i) {
            bool canTakeMoney = !USDC.isBlacklisted(deposits[i].merchant);
            if (balances[i] >= deposits[i].least && !isSettled[i] && canTakeMoney) _noteSettlement(i, balances[i]);
        }
    }

    function payParked(uint256 i) external {
        try FACTORY.payParked(deposits[i % COUNT]) {} catch {}
    }

    /// @dev The operator tries for any token, at any time, any part of what is there.
    function refund(uint256 i, uint256 which, uint256 amount) external {
        i %= COUNT;
        Terms memory terms = deposits[i];
        address token = [address(USDC), address(USDC), address(USDT), address(0)][which % 4];
        uint256 before = USDC.balanceOf(address(_forwarder(i)));
        amount = token == address(USDC) ? 1 + amount % (before + 1) : 1 + amount % 10e6;
        uint256 kept = _kept(i, before);
        vm.prank(terms.operator);
        try FACTORY.refund(terms, token, refundWallet(i), amount) {
            uint256 left = USDC.balanceOf(address(_forwarder(i)));
            vm.assertEq(before - left, token == address(USDC) ? amount : 0, "another amount left");
            vm.assertTrue(left >= kept, "took what is the merchant's or the platform's");
        } catch {
            vm.assertTrue(token != address(USDC) || amount + kept > before, "refused what is the payer's");
        }
    }

    /// @dev Someone else tries, with the operator's words.
    function refundAsStranger(uint256 i, uint256 amount, address stranger) external {
        i %= COUNT;
        if (stranger == deposits[i].operator) return;
        vm.prank(stranger);
        try FACTORY.refund(deposits[i], address(USDC), stranger, amount) {
            vm.assertTrue(false, "a stranger refunded");
        } catch {}
    }

    function blacklist(uint256 i, bool isPlatform) external {
        i %= COUNT;
        address account = isPlatform ? deposits[i].platform : deposits[i].merchant;
        if (USDC.isBlacklisted(account)) USDC.unBlacklist(account);
        else USDC.blacklist(account);
    }

    function wait(uint256 durationSeconds) external {
        vm.warp(block.timestamp + durationSeconds % 30 minutes);
    }

    /// @dev What the operator must not get.
    function _kept(uint256 i, uint256 balance) private view returns (uint256) {
        Terms memory terms = deposits[i];
        if (isSettled[i]) return _parked(i);
        if (balance < terms.least && block.timestamp > terms.deadline) return 0;
        return balance < terms.amount ? balance : terms.amount;
    }

    function _noteSettlement(uint256 i, uint256 balance) private {
        isSettled[i] = true;
        paidOut[i] = balance < deposits[i].amount ? balance : deposits[i].amount;
    }

    function _parked(uint256 i) private view returns (uint256) {
        DepositForwarder forwarder = _forwarder(i);
        return address(forwarder).code.length == 0 ? 0 : forwarder.parked();
    }

    function _forwarder(uint256 i) private view returns (DepositForwarder) {
        return DepositForwarder(payable(FACTORY.forwarderOf(deposits[i])));
    }
}

contract DepositInvariants is DepositTest {
    DepositLife private life;

    function setUp() public override {
        super.setUp();
        life = new DepositLife(factory, usdc, usdt);
        usdc.transferOwnership(address(life));
    }

    /// @dev forge asks for this: only the life happens, from any sender.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(life);
    }

    function invariant_whatCameInIsWithMerchantPlatformPayerOrStillThere() public view {
        for (uint256 i = 0; i < life.COUNT(); ++i) {
            (Terms memory terms, DepositForwarder forwarder) = life.depositAt(i);
            uint256 out =
                usdc.balanceOf(terms.merchant) + usdc.balanceOf(terms.platform) + usdc.balanceOf(life.refundWallet(i));
            vm.assertEq(out + usdc.balanceOf(address(forwarder)), life.received(i), "not a unit more or less");
        }
    }

    function invariant_merchantAndPlatformGetTheirSharesOfOneSettlement() public view {
        for (uint256 i = 0; i < life.COUNT(); ++i) {
            (Terms memory terms, DepositForwarder forwarder) = life.depositAt(i);
            bool isDeployed = address(forwarder).code.length > 0;
            uint256 parked = isDeployed ? forwarder.parked() : 0;
            uint256 share = platformShare(terms, life.paidOut(i));
            assertUsdc(terms.merchant, life.paidOut(i) - share, "merchant");
            vm.assertEq(usdc.balanceOf(terms.platform) + parked, share, "platform, and what is parked for it");
            vm.assertTrue(usdc.balanceOf(address(forwarder)) >= parked, "what is parked is there");
            vm.assertTrue(
                life.isSettled(i) == (isDeployed && !forwarder.isOpen()), "deployed means settled, unless open"
            );
        }
    }
}
